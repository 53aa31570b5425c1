type JsonObject = Record<string, unknown>;

/**
 * JSON Merge Patch (RFC 7396): members of `patch` replace those of `target`, objects are merged member by member, null removes.
 * Object.fromEntries defines members, so that one named __proto__ is a member like any other.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  if (!isObject(target)) return withoutNulls(patch);
  const members = new Map(Object.entries(target));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) members.delete(key);
    else members.set(key, mergePatch(members.get(key), value));
  }
  return Object.fromEntries(members);
}

/** A patch merged into nothing; the patch itself where it has no null, as nearly all have. */
function withoutNulls(patch: JsonObject): JsonObject {
  const kept: [string, unknown][] = [];
  let isChanged = false;
  for (const [key, value] of Object.entries(patch)) {
    const inner = isObject(value) ? withoutNulls(value) : value;
    if (inner !== value || value === null) isChanged = true;
    if (inner !== null) kept.push([key, inner]);
  }
  return isChanged ? Object.fromEntries(kept) : patch;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
