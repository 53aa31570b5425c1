/**
 * Arrays as PostgreSQL's binary wire format, so that a batch goes into `unnest` without being written as text here
 * and parsed there. Measured (2 cores, 22 columns, 256 rows a batch, PostgreSQL 18): parsing cost
 * 6 µs a row, against 12 µs for text array literals and 17 µs for json_to_recordset; the service's own
 * CPU 4.6 µs a row against 13 and 6.3. Format: array_recv in src/backend/utils/adt/arrayfuncs.c.
 */
const OID = {
  bool: 16,
  bytea: 17,
  int4: 23,
  text: 25,
  json: 114,
  timestamptz: 1184,
  uuid: 2950,
} as const;
const HEADER_BYTES = 20;
const POSTGRES_EPOCH_MS = 946_684_800_000;

type Column<T> = readonly (T | null)[];
type WriteValue<T> = (buffer: Buffer, offset: number, value: T) => number;

export const textArray = (values: Column<string>): ArrayParameter =>
  encode(OID.text, values, textBytes(values), writeText);

export const jsonArray = (values: Column<string>): ArrayParameter =>
  encode(OID.json, values, textBytes(values), writeText);

export const byteaArray = (values: Column<Buffer>): ArrayParameter =>
  encode(OID.bytea, values, byteLength(values), (buffer, offset, value) =>
    value.copy(buffer, offset),
  );

export const uuidArray = (values: Column<string>): ArrayParameter =>
  encode(OID.uuid, values, values.length * 16, writeUuid);

export const int4Array = (values: Column<number>): ArrayParameter =>
  encode(OID.int4, values, values.length * 4, (buffer, offset, value) => {
    buffer.writeInt32BE(value, offset);
    return 4;
  });

export const boolArray = (values: Column<boolean>): ArrayParameter =>
  encode(OID.bool, values, values.length, (buffer, offset, value) => {
    buffer[offset] = value ? 1 : 0;
    return 1;
  });

/** Values as ISO 8601 in UTC with six decimals: 2026-01-15T10:30:00.123456Z. */
export const timestamptzArray = (values: Column<string>): ArrayParameter =>
  encode(OID.timestamptz, values, values.length * 8, (buffer, offset, value) => {
    const ms = Date.parse(`${value.slice(0, 23)}Z`) - POSTGRES_EPOCH_MS;
    buffer.writeBigInt64BE(BigInt(ms) * 1000n + BigInt(value.slice(23, 26)), offset);
    return 8;
  });

/** A parameter that is encoded when node-postgres writes it, which it does at once, one parameter after the other. */
export type ArrayParameter = { toPostgres(): Buffer };

// Shared by all parameters: fresh buffers for each were 60 MB of garbage a second under load.
const scratch = Buffer.allocUnsafeSlow(1024 * 1024);

function encode<T>(
  oid: number,
  values: Column<T>,
  valueBytes: number,
  write: WriteValue<T>,
): ArrayParameter {
  const maxBytes = HEADER_BYTES + values.length * 4 + valueBytes;
  return {
    toPostgres() {
      const buffer = maxBytes <= scratch.length ? scratch : Buffer.allocUnsafe(maxBytes);
      return buffer.subarray(0, encodeInto(buffer, oid, values, write));
    },
  };
}

/** @returns how many bytes the array takes. */
function encodeInto<T>(
  buffer: Buffer,
  oid: number,
  values: Column<T>,
  write: WriteValue<T>,
): number {
  let hasNull = 0;
  let offset = HEADER_BYTES;
  for (const value of values) {
    if (value === null) {
      hasNull = 1;
      buffer.writeInt32BE(-1, offset);
      offset += 4;
    } else {
      const length = write(buffer, offset + 4, value);
      buffer.writeInt32BE(length, offset);
      offset += 4 + length;
    }
  }
  buffer.writeInt32BE(1, 0);
  buffer.writeInt32BE(hasNull, 4);
  buffer.writeInt32BE(oid, 8);
  buffer.writeInt32BE(values.length, 12);
  buffer.writeInt32BE(1, 16);
  return offset;
}

// A UTF-16 unit is at most three bytes of UTF-8.
function textBytes(values: Column<string>): number {
  let bytes = 0;
  for (const value of values) if (value !== null) bytes += value.length * 3;
  return bytes;
}

function byteLength(values: Column<Buffer>): number {
  return values.reduce((bytes, value) => bytes + (value?.length ?? 0), 0);
}

function writeText(buffer: Buffer, offset: number, value: string): number {
  return buffer.write(value, offset, 'utf8');
}

function writeUuid(buffer: Buffer, offset: number, value: string): number {
  let at = offset;
  for (let i = 0; i < value.length; i += 2) {
    if (value.charCodeAt(i) === DASH) i++;
    buffer[at++] = (nibble(value.charCodeAt(i)) << 4) | nibble(value.charCodeAt(i + 1));
  }
  return 16;
}

const DASH = 0x2d;
/** The value of a hexadecimal digit by its character code. */
const nibble = (code: number): number => (code <= 0x39 ? code - 0x30 : (code & 0x1f) + 9);
