export class Refused extends Error {}

export async function request(url, body) {
  const init = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const response = await fetch(url, init).catch(() => {
    throw new Refused('The simulator cannot be reached.');
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw new Refused(answer.message ?? `The simulator answered ${response.status}.`);
}
