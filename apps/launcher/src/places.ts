import { join, resolve } from 'node:path'

export const repositoryRoot = resolve(import.meta.dirname, '../../..')
const app = (path: string) => join(repositoryRoot, 'apps', path)

/** The programs the launcher starts. */
export interface Programs {
  readonly server: string
  readonly twin: string
  readonly adminCreate: string
  readonly seed: string
  readonly backup: string
  readonly restore: string
  readonly doctor: string
}

export const programs: Programs = {
  server: app('server/src/main.ts'),
  twin: app('twin/src/main.ts'),
  adminCreate: app('server/src/admin-create.ts'),
  seed: app('server/src/seed.ts'),
  backup: app('server/src/backup.ts'),
  restore: app('server/src/restore.ts'),
  doctor: app('server/src/doctor.ts'),
}
