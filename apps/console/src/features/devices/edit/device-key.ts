/** Key of the cached device of a drawer. */
export const deviceKey = (id: number | undefined) => ['devices', 'device', id] as const
