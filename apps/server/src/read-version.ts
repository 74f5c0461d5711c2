import { readFile } from 'node:fs/promises'
import { z } from 'zod'

/** Version of this product, for example 0.2.0. */
export async function readVersion(): Promise<string> {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version
}
