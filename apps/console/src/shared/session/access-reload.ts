let reload: (() => Promise<void>) | undefined

/** The guard provides how the permitted modules are loaded again. */
export function provideAccessReload(provided: () => Promise<void>): void {
  reload = provided
}

/** Loads the permitted modules again after a change of them, so that menu, tabs and routes follow at once. */
export const reloadAccess = async (): Promise<void> => reload?.()
