type JsonObject = Record<string, unknown>;

/**
 * JSON Merge Patch (RFC 7396): members of `patch` replace those of `target`, objects are merged member by member, null removes.
 * Results have no prototype, so that a member named __proto__ is a member like any other.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: JsonObject = Object.assign(Object.create(null), isObject(target) ? target : {});
  for (const key of Object.keys(patch)) {
    if (patch[key] === null) delete result[key];
    else result[key] = mergePatch(result[key], patch[key]);
  }
  return result;
}

/** Equality of two JSON values; the order of members does not count, that of elements does. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((element, index) => sameJson(element, b[index]))
    );
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
