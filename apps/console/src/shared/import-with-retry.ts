const ADDRESS = /https?:\/\/\S+$/

/** Address of the file that could not be loaded, as Chromium and Firefox name it at the end of their message. */
function findAddress(error: unknown): URL | undefined {
  const found = error instanceof Error ? ADDRESS.exec(error.message)?.[0] : undefined
  return found !== undefined && URL.canParse(found) ? new URL(found) : undefined
}

let attempts = 0

/**
 * Loads a file of the console, also after it could not be loaded once. A browser remembers a module that
 * failed as long as the page lives and never asks for it again, so it is asked for under an address of its own.
 * That does not help where a file failed which this one imports: then only a reload of the page does. Throws the
 * failure of the last attempt.
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
