/** Keys under which commands are cached, so that a pushed command finds every list it stands in. */
export const commandKeys = {
  all: ['valves', 'commands'],
  batch: (batchId: string) => ['valves', 'commands', 'batch', batchId],
  last: (ids: readonly number[]) => ['valves', 'commands', 'last', ids],
} as const
