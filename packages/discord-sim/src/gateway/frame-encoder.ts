import { constants, deflateRawSync, deflateSync } from 'node:zlib';

/** Converts a frame into the WebSocket message that carries it: text, or binary when it is compressed. */
export type FrameEncoder = (frame: string) => string | Buffer;

/** Frames of fewer bytes are not worth compressing. */
const MIN_COMPRESSED_BYTES = 1_024;
const ZLIB_HEADER = Buffer.from([0x78, 0x9c]);

/** Sends frames as text. */
export function plainEncoder(): FrameEncoder {
  return (frame) => frame;
}

/**
 * Compresses each long frame by itself, as a client asks for with `compress` in IDENTIFY.
 *
 * @see https://discord.com/developers/docs/events/gateway#payload-compression
 */
export function payloadEncoder(): FrameEncoder {
  return (frame) => (Buffer.byteLength(frame) < MIN_COMPRESSED_BYTES ? frame : deflateSync(frame));
}

/**
 * Compresses all frames of a connection into one zlib stream, flushed after each frame. No frame refers back to an earlier
 * one, which the format allows, so the stream needs no state but its header.
 *
 * @see https://discord.com/developers/docs/events/gateway#zlibstream
 */
export function zlibStreamEncoder(): FrameEncoder {
  let header = ZLIB_HEADER;
  return (frame) => {
    const message = Buffer.concat([header, deflateRawSync(frame, { finishFlush: constants.Z_SYNC_FLUSH })]);
    header = Buffer.alloc(0);
    return message;
  };
}
