const ADDRESS = /https?:\/\/\S+$/

/** Address of the file that failed to load. Chromium and Firefox put it at the end of the error message. */
function findAddress(error: unknown): URL | undefined {
  const found = error instanceof Error ? ADDRESS.exec(error.message)?.[0] : undefined
  return found !== undefined && URL.canParse(found) ? new URL(found) : undefined
}

let attempts = 0

/**
 * Loads a file of the console and retries after a failure. A browser does not request a failed module again in the same
 * page, so a retry uses a new address. If a file imported by this one has failed, only a reload of the page helps. Throws
 * the failure of the last attempt.
 */
export async function importWithRetry<Module>(
  load: () => Promise<Module>,
  importFrom: (address: string) => Promise<Module> = (address) => import(/* @vite-ignore */ address),
): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    const address = findAddress(error)
    if (!address) throw error
    attempts += 1
    address.searchParams.set('again', String(attempts))
    return importFrom(address.href)
  }
}
