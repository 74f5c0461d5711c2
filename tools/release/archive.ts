import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { basename, dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { ReleaseError } from './project.ts'

/**
 * Packs a folder. Names are sorted, times, owners and rights do not depend on this machine, so the same commit gives the
 * same bytes. gzip, because tar of any system reads it. Needs GNU tar.
 */
export async function pack(folder: string, file: string, time: number): Promise<void> {
  const words = [
    '--create',
    '--sort=name',
    '--format=gnu',
    `--mtime=@${time}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u+rw,go-w,a+rX',
    `--directory=${dirname(folder)}`,
    basename(folder),
  ]
  const tar = spawn('tar', words, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(tar, 'close')
  await pipeline(tar.stdout, createGzip({ level: 6 }), createWriteStream(file))
  const [code] = await ended
  if (code !== 0) throw new ReleaseError(`tar failed with ${code}`)
}

export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
