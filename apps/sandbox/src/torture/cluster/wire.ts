import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A wire to a server that can be made to fail. It understands nothing of what it carries. */
export interface Wire extends AsyncDisposable {
  readonly port: number;
  /** Milliseconds by which everything is late from now on; 0: nothing. */
  delay(milliseconds: number): void;
  /** Cuts every connection. */
  cut(): void;
  /** Ends one direction of every connection. */
  halfClose(direction: 'to server' | 'to client'): void;
  /**
   * Hands on the next so many of these questions, and cuts the connection in place of the answer. `thenGone`: from then on
   * there is no way through at all.
   */
  loseAnswers(question: Question, times: number, thenGone?: 'then gone'): void;
  /** Lets everything through again. */
  mend(): void;
}

/** A question by its text. `after`: only on a connection that has said this since the last such question. */
export interface Question {
  readonly text: string;
  readonly after?: string;
}

const NONE: Question = { text: '' };

interface Connection {
  readonly client: Socket;
  readonly server: Socket;
}

/** Starts a wire to a port of this machine. */
export async function startWire(target: number): Promise<Wire> {
  const connections = new Set<Connection>();
  let losing = { question: NONE, times: 0, thenGone: false };
  let isGone = false;
  let late = 0;
  const listener = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
    if (isGone) return void client.destroy();
    const server = connect({ host: '127.0.0.1', port: target, noDelay: true, allowHalfOpen: true });
    const connection = { client, server };
    connections.add(connection);
    let isLosing = false;
    let isMarked = false;
    const destroy = () => {
      connections.delete(connection);
      client.destroy();
      server.destroy();
    };
    carry(client, server, (chunk) => {
      const { question, times } = losing;
      if (times === 0) return true;
      if (question.after !== undefined && chunk.includes(question.after)) isMarked = true;
      if (!chunk.includes(question.text)) return true;
      isLosing = question.after === undefined || isMarked;
      isMarked = false;
      if (isLosing) losing.times -= 1;
      return true;
    });
    carry(server, client, () => {
      if (isLosing) {
        if (losing.thenGone) leave();
        destroy();
      }
      return !isLosing;
    });
    for (const socket of [client, server]) socket.on('error', destroy).on('close', destroy);
  });

  /** Carries what comes, in its order, unless `look` says otherwise. */
  function carry(from: Socket, to: Socket, look: (chunk: Buffer) => boolean): void {
    let before = Promise.resolve();
    let onTheWay = 0;
    const send = (act: () => void) => {
      // Behind what is still on its way, even when nothing is late any more.
      if (late === 0 && onTheWay === 0) return act();
      onTheWay += 1;
      const wait = delay(late);
      before = before
        .then(() => wait)
        .then(() => {
          onTheWay -= 1;
          act();
        });
    };
    from.on('data', (chunk: Buffer) => {
      if (look(chunk)) send(() => to.writable && to.write(chunk));
    });
    from.on('end', () => send(() => to.end()));
  }

  const cut = () => {
    for (const { client, server } of connections) {
      client.destroy();
      server.destroy();
    }
  };
  const leave = () => {
    isGone = true;
    cut();
  };
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    delay(milliseconds) {
      late = milliseconds;
    },
    cut,
    halfClose(direction) {
      for (const { client, server } of connections) (direction === 'to server' ? server : client).end();
    },
    loseAnswers(question, times, thenGone) {
      losing = { question, times, thenGone: thenGone !== undefined };
    },
    mend() {
      losing = { question: NONE, times: 0, thenGone: false };
      isGone = false;
      late = 0;
    },
    async [Symbol.asyncDispose]() {
      listener.close();
      cut();
    },
  };
}
