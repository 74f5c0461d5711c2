const ADDRESS = /https?:\/\/\S+$/

/** Address of the file that could not be loaded, as Chromium and Firefox name it at the end of their message. */
function findAddress(error: unknown): URL | undefined {
  const found = error instanceof Error ? ADDRESS.exec(error.message)?.[0] : undefined
  return found !== undefined && URL.canParse(found) ? new URL(found) : undefined
}

let attempts = 0

/**
 * Loads a file of the console, and retries once after a failure. A browser never requests a failed module again in the
 * same page, so the retry uses a new address. The retry fails if another file that this one imports has failed: then only a
 * reload of the page helps. Throws the failure of the last attempt.
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
