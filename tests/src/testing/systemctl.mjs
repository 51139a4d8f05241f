#!/usr/bin/env node
// @ts-nocheck: a script of strings, like the shell scripts of deploy/.
/**
 * Replaces `systemctl` on a machine without systemd: reads the units of /etc/systemd/system and runs their commands
 * with their variables, as their users, in their folders. It does not sandbox or restart anything. nginx and Prometheus
 * are those of the machine.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const UNITS = '/etc/systemd/system';
const RUN = '/run/units';
const OTHERS = {
  nginx: ['nginx', '-g', 'daemon off;'],
  'prometheus-blackbox-exporter': [
    'SSL_CERT_FILE=/etc/letsencrypt/live/settings.example/fullchain.pem',
    'prometheus-blackbox-exporter',
    '--config.file=/etc/prometheus/blackbox.yml',
  ],
  'prometheus-node-exporter': ['prometheus-node-exporter'],
  prometheus: ['prometheus', '--config.file=/etc/prometheus/prometheus.yml', '--storage.tsdb.path=/run/prometheus'],
};

mkdirSync(RUN, { recursive: true });
const [verb = '', ...rest] = process.argv.slice(2);
const names = rest.filter((one) => !one.startsWith('--'));

/** Returns the assignments in the files of a unit, in order, with its specifiers replaced. */
function read(name) {
  const [, template, instance, suffix = '.service'] = /^([^@]+)@([^.]+)(\.\w+)?$/.exec(name) ?? [];
  const dropIns = join(UNITS, `${template}@${instance}${suffix}.d`);
  const files = [
    join(UNITS, `${template}@${suffix}`),
    ...(existsSync(dropIns) ? readdirSync(dropIns).map((file) => join(dropIns, file)) : []),
  ];
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').split('\n'));
  const values = new Map();
  for (const line of lines) {
    const [, key, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (key === undefined) continue;
    const specified = value.replaceAll('%i', instance).replaceAll('%S', '/var/lib');
    values.set(key, value === '' ? [] : [...(values.get(key) ?? []), specified]);
  }
  return { all: (key) => values.get(key) ?? [], one: (key) => values.get(key)?.at(-1) ?? '' };
}

function start(name) {
  if (name.endsWith('.timer')) return void read(name);
  const log = openSync(join('/var/log', `${name}.log`), 'a');
  const isOwn = !(name in OTHERS);
  const unit = isOwn ? read(name) : undefined;
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin' };
  const user = unit?.one('User');
  for (const folder of unit?.all('StateDirectory').flatMap((value) => value.split(' ')) ?? []) {
    execFileSync('install', ['-d', join('/var/lib', folder.split('/')[0])]);
    const mode = `--mode=${unit.one('StateDirectoryMode')}`;
    if (folder.includes('/'))
      execFileSync('install', ['-d', mode, `--owner=${user}`, `--group=${user}`, join('/var/lib', folder)]);
  }
  const assignments = [
    ...(unit?.all('Environment') ?? []),
    ...(unit?.all('EnvironmentFile') ?? []).flatMap((file) => readFileSync(file, 'utf8').split('\n')),
  ];
  for (const line of assignments) {
    const [, key, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (key !== undefined) env[key] = value;
  }
  const command = isOwn ? unit.one('ExecStart').split(' ') : OTHERS[name];
  const as = isOwn ? ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups'] : ['env'];
  const [file, ...args] = [...as, ...command];
  const options = { env, cwd: unit?.one('WorkingDirectory') || '/', stdio: ['ignore', log, log] };
  if (unit?.one('Type') === 'oneshot') return void execFileSync(file, args, options);
  const child = spawn(file, args, { ...options, detached: true });
  writeFileSync(join(RUN, name), String(child.pid));
  child.unref();
}

function stop(name) {
  const path = join(RUN, name);
  if (!existsSync(path)) return;
  const pid = Number(readFileSync(path, 'utf8'));
  // A program that has ended by itself is stopped.
  if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGTERM');
  // `tail` ends with the process.
  execFileSync('tail', [`--pid=${pid}`, '-f', '/dev/null'], { timeout: 60_000 });
  rmSync(path);
}

const actions = {
  'daemon-reload': () => {},
  'list-units': () => console.log(readdirSync(RUN).join('\n')),
  enable: () => names.forEach(start),
  disable: () => names.forEach(stop),
  start: () => names.forEach(start),
  stop: () => names.forEach(stop),
  restart: () => {
    names.forEach(stop);
    names.forEach(start);
  },
  reload: () => execFileSync('nginx', ['-s', 'reload']),
};
if (!(verb in actions)) throw new Error(`Expected one of ${Object.keys(actions)}, received ${verb}`);
actions[verb]();
