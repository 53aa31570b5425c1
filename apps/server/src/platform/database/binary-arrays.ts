/**
 * Arrays as PostgreSQL's binary wire format, so that a batch goes into `unnest` without being written as text here
 * and parsed there. Measured (2 cores, 22 columns, 256 rows a batch, PostgreSQL 18): parsing cost
 * 6 µs a row, against 12 µs for text array literals and 17 µs for json_to_recordset; the service's own
 * CPU 4.6 µs a row against 13 and 6.3. Format: array_recv in src/backend/utils/adt/arrayfuncs.c.
 */
const OID = { bool: 16, int4: 23, text: 25, json: 114, timestamptz: 1184, uuid: 2950 } as const;
const HEADER_BYTES = 20;
const POSTGRES_EPOCH_MS = 946_684_800_000;

type Column<T> = readonly (T | null)[];
type WriteValue<T> = (buffer: Buffer, offset: number, value: T) => number;

export const textArray = (values: Column<string>): Buffer =>
  encode(OID.text, values, textBytes(values), writeText);

export const jsonArray = (values: Column<string>): Buffer =>
  encode(OID.json, values, textBytes(values), writeText);

export const uuidArray = (values: Column<string>): Buffer =>
  encode(OID.uuid, values, values.length * 16, writeUuid);

export const int4Array = (values: Column<number>): Buffer =>
  encode(OID.int4, values, values.length * 4, (buffer, offset, value) => {
    buffer.writeInt32BE(value, offset);
    return 4;
  });

export const boolArray = (values: Column<boolean>): Buffer =>
  encode(OID.bool, values, values.length, (buffer, offset, value) => {
    buffer[offset] = value ? 1 : 0;
    return 1;
  });

/** Values as ISO 8601 in UTC with six decimals: 2026-01-15T10:30:00.123456Z. */
export const timestamptzArray = (values: Column<string>): Buffer =>
  encode(OID.timestamptz, values, values.length * 8, (buffer, offset, value) => {
    const ms = Date.parse(`${value.slice(0, 23)}Z`) - POSTGRES_EPOCH_MS;
    buffer.writeBigInt64BE(BigInt(ms) * 1000n + BigInt(value.slice(23, 26)), offset);
    return 8;
  });

function encode<T>(oid: number, values: Column<T>, valueBytes: number, write: WriteValue<T>) {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + values.length * 4 + valueBytes);
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
  return buffer.subarray(0, offset);
}

// A UTF-16 unit is at most three bytes of UTF-8.
function textBytes(values: Column<string>): number {
  let bytes = 0;
  for (const value of values) if (value !== null) bytes += value.length * 3;
  return bytes;
}

function writeText(buffer: Buffer, offset: number, value: string): number {
  return buffer.write(value, offset, 'utf8');
}

function writeUuid(buffer: Buffer, offset: number, value: string): number {
  const hex =
    value.slice(0, 8) +
    value.slice(9, 13) +
    value.slice(14, 18) +
    value.slice(19, 23) +
    value.slice(24);
  buffer.write(hex, offset, 'hex');
  return 16;
}
