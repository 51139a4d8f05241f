import { constants, deflateRawSync, deflateSync } from 'node:zlib';

/** Converts a frame into a WebSocket message: text, or binary if compressed. */
export type FrameEncoder = (frame: string) => string | Buffer;

const MIN_COMPRESSED_BYTES = 1_024;
const ZLIB_HEADER = Buffer.from([0x78, 0x9c]);

/** @see https://discord.com/developers/docs/events/gateway#payload-compression */
export function payloadEncoder(): FrameEncoder {
  return (frame) => (Buffer.byteLength(frame) < MIN_COMPRESSED_BYTES ? frame : deflateSync(frame));
}

/**
 * Compresses all frames of a connection into one zlib stream, flushed after each frame. Frames do not refer back to
 * earlier ones, which the format allows, so the only state of the stream is its header.
 *
 * @see https://discord.com/developers/docs/events/gateway#zlibstream
 */
export function zlibStreamEncoder(): FrameEncoder {
  return streamEncoder(ZLIB_HEADER, (frame) => [deflateRawSync(frame, { finishFlush: constants.Z_SYNC_FLUSH })]);
}

/** Magic number; a descriptor with neither content size nor checksum; a window of 128 KiB (2^17). */
const FRAME_HEADER = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, (17 - 10) << 3]);
const MAX_BLOCK_BYTES = 128 * 1024;
const BLOCK_HEADER_BYTES = 3;

/**
 * Sends all frames of a connection as one zstd stream of uncompressed blocks, because Node compresses a stream
 * asynchronously. Decoders cannot detect the difference.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1
 */
export function zstdStreamEncoder(): FrameEncoder {
  return streamEncoder(FRAME_HEADER, (frame) => rawBlocks(Buffer.from(frame)));
}

function streamEncoder(header: Buffer, encode: (frame: string) => readonly Buffer[]): FrameEncoder {
  let begin = header;
  return (frame) => {
    const message = Buffer.concat([begin, ...encode(frame)]);
    begin = Buffer.alloc(0);
    return message;
  };
}

function rawBlocks(content: Buffer): Buffer[] {
  const blocks: Buffer[] = [];
  for (let start = 0; start < content.length; start += MAX_BLOCK_BYTES) {
    const block = content.subarray(start, start + MAX_BLOCK_BYTES);
    const header = Buffer.alloc(BLOCK_HEADER_BYTES);
    // Bit 0: not the last block. Bits 1 and 2: a raw block. The rest: its size.
    header.writeUIntLE(block.length << 3, 0, BLOCK_HEADER_BYTES);
    blocks.push(header, block);
  }
  return blocks;
}
