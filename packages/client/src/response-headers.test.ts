import { expect, test } from 'vitest';
import { readArrival } from './response-headers.ts';

test.each([
  ['live; latency=5', { state: 'live', latencyMs: 5 }],
  ['live;latency=5; shards=2', { state: 'live', latencyMs: 5 }],
  ['live; latency=5; processes=3; away=1', { state: 'live', latencyMs: 5, processes: 3, away: 1 }],
  ['live; processes=3; away=1', { state: 'live', processes: 3, away: 1 }],
  ['pending', { state: 'pending' }],
  ['away; since=5', { state: 'away' }],
])('reads %s', (header, arrival) => {
  expect(readArrival(header)).toEqual(arrival);
});

test.each([
  ['live_soon; latency=5', { state: 'live_soon', latencyMs: 5 }],
  ['live2', { state: 'live2' }],
  ['live; latency=5.5', { state: 'live' }],
  ['live; passaway=1; away=many', { state: 'live' }],
])('reads %s of a newer service without taking a part of it for the whole', (header, arrival) => {
  expect(readArrival(header)).toEqual(arrival);
});

test.each(['', ' ', 'live, pending', ';latency=5'])('reads nothing in another form: %j', (header) => {
  expect(readArrival(header)).toBeUndefined();
});
