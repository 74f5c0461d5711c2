import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { repositoryRoot } from '../places.ts'

const project = z.object({ version: z.string() })
/** The file in the archive of a release. */
const release = z.object({ commit: z.string(), missing: z.array(z.string()) })

const readJson = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'))

/** Text about this program: its version and, in a release, its commit. */
export async function describeProgram(root = repositoryRoot): Promise<string> {
  const { version } = project.parse(await readJson(join(root, 'package.json')))
  const made = release.safeParse(await readJson(join(root, 'release.json')).catch(() => undefined)).data
  const parts = [
    made?.commit,
    `${process.platform}-${process.arch}`,
    `Node.js ${process.versions.node}`,
    ...(made?.missing ?? []).map((name) => `without ${name}`),
  ]
  return `isotherm ${version} (${parts.filter((part) => part !== undefined).join(', ')})`
}
