/** Names that an error message shows at most. */
const MAX_NAMED = 5

/** Names of the last levels of an address, which tell valves of one station apart. */
const NAMED_LEVELS = 3

/** Text that names valves by their comma-joined addresses; further ones are counted. */
export function nameUnmeasured(addresses: readonly string[]): string {
  const names = addresses
    .slice(0, MAX_NAMED)
    .map((address) => address.split(',').slice(-NAMED_LEVELS).join('/'))
    .join(', ')
  const rest = addresses.length - MAX_NAMED
  return rest > 0 ? `${names}, … +${rest}` : names
}
