import { v7 } from 'uuid';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A new UUIDv7 (RFC 9562 section 5.7); rises within the process, so that index pages fill from one end. */
export const newId = (): string => v7();

export const isUuid = (text: string): boolean => UUID.test(text);
