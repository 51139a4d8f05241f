"""A bot of discord.py with a /settings of its own: changes a setting over REST, or gives the address of the page."""

import asyncio
import json
from os import environ
from typing import Optional

import aiohttp
import discord
from discord.ext import tasks

API = environ.get("API_URL", "http://127.0.0.1:3000")
DISCORD = discord.http.Route.BASE = environ.get("DISCORD_API_URL", "https://discord.com/api/v10")
APPLICATION = aiohttp.BasicAuth(environ["DISCORD_APPLICATION_ID"], environ["DISCORD_CLIENT_SECRET"])
client = discord.AutoShardedClient(intents=discord.Intents(guilds=True))
tree = discord.app_commands.CommandTree(client)
headers = {}


# Discord issues a token of the application for a week. A failed request is repeated.
@tasks.loop(hours=24)
async def renew_token():
    form = {"grant_type": "client_credentials", "scope": "applications.commands.update"}
    url = f"{DISCORD}/oauth2/token"
    async with aiohttp.request("POST", url, data=form, auth=APPLICATION, raise_for_status=True) as response:
        headers["Authorization"] = f"Bearer {(await response.json())['access_token']}"


async def change(url, user, setting, value):
    """Changes a setting on behalf of a user. Returns its new value, or what the service expects instead."""
    author = {**headers, "X-On-Behalf-Of": str(user)}
    async with aiohttp.ClientSession(headers=author, timeout=aiohttp.ClientTimeout(10)) as service:
        async with service.get(url) as response:
            record = await response.json()
        custom = record.get("custom", {})
        # Texts and ids are taken as they are typed. Other values are JSON: true, 5, ["music"], null for the default.
        if not isinstance({**record, **custom}.get(setting), str):
            try:
                value = json.loads(value)
            except ValueError:
                pass  # The service says what it expects.
        body = {"custom": {setting: value}} if setting in custom else {setting: value}
        async with service.patch(url, json=body) as response:
            answer = await response.json()
    if response.status >= 400:
        issues = [f"{issue['pointer']}: {issue['message']}" for issue in answer.get("issues", [])]
        return "\n".join(issues or [answer["detail"]])
    return f"{setting}: {json.dumps({**answer, **answer.get('custom', {})}[setting], ensure_ascii=False)}"


# Managers may use the command, and those to whom administrators give it: the service does not check the user again.
@tree.command(name="settings", description="Change a setting, or open the page with all of them")
@discord.app_commands.describe(setting="The name of the setting, such as prefix", value="The new value")
@discord.app_commands.default_permissions(manage_guild=True)
@discord.app_commands.guild_only()
async def settings(interaction: discord.Interaction, setting: Optional[str], value: Optional[str]):
    await interaction.response.defer(ephemeral=True)
    path = f"/guilds/{interaction.guild_id}"
    reply = page = environ.get("DASHBOARD_URL", API) + path
    if setting is not None and value is not None:
        try:
            reply = await change(API + path, interaction.user.id, setting, value)
        except (aiohttp.ClientError, asyncio.TimeoutError):
            reply = f"The settings service did not answer. Check whether the setting has changed: {page}"
    await interaction.followup.send(reply[:2000])


@client.event
async def setup_hook():
    renew_token.start()
    await tree.sync()


client.run(environ["DISCORD_BOT_TOKEN"])
