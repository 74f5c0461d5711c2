/**
 * Proves the archive of this platform on an empty Debian without a network: the steps of deploy/Containerfile in a folder of
 * Debian's smallest system, then what an operator does (walk.ts) as the user of the service. Needs root, mmdebstrap and
 * Debian's package registry for that system.
 *
 *   npm run release:prove [-- --archive FILE] [--root FOLDER]
 *
 * `--root`: an existing root folder of a Debian, which is changed; otherwise a temporary one is made and removed.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { hashFile } from './archive.ts'
import { ReleaseError, readVersions, root } from './project.ts'

const { values } = parseArgs({
  options: {
    archive: {
      type: 'string',
      default: `dist/release/isotherm-${readVersions().version}-${process.platform}-${process.arch}.tar.gz`,
    },
    root: { type: 'string' },
  },
})

const run = (file: string, ...words: string[]) => void execFileSync(file, words, { stdio: 'inherit' })

function makeDebian(folder: string): void {
  const { error } = spawnSync('mmdebstrap', ['--version'])
  if (error) throw new ReleaseError('mmdebstrap is missing: apt-get install mmdebstrap')
  run('mmdebstrap', '--quiet', '--variant=minbase', 'bookworm', folder)
}

async function checkSum(archive: string): Promise<void> {
  const sums = readFileSync(join(dirname(archive), 'SHA256SUMS'), 'utf8')
  if (!sums.includes(`${await hashFile(archive)}  ${basename(archive)}\n`))
    throw new ReleaseError(`${archive} is not what SHA256SUMS lists`)
}

/** The commands of the RUN lines of deploy/Containerfile. */
const listRuns = (): readonly string[] =>
  [
    ...readFileSync(join(root, 'deploy/Containerfile'), 'utf8')
      .replaceAll('\\\n', ' ')
      .matchAll(/^RUN (.*)$/gm),
  ].map(([, command = '']) => command)

function install(debian: string, archive: string): void {
  const inside = (command: string) => run('chroot', debian, 'sh', '-c', command)
  // ADD unpacks an archive.
  run('tar', '--extract', '--gzip', `--file=${archive}`, `--directory=${join(debian, 'opt')}`)
  for (const command of listRuns()) inside(command)
  // The settings and the key of at least 32 characters, as in docs/operations.
  inside('install -d -m 0750 -g isotherm /etc/isotherm')
  inside('install -m 0640 -g isotherm /opt/isotherm/deploy/isotherm.env.example /etc/isotherm/isotherm.env')
  writeFileSync(
    join(debian, 'etc/isotherm/backup.key'),
    'a key for the proof of a release and for nothing else\n',
  )
  inside('chown isotherm /etc/isotherm/backup.key; chmod 600 /etc/isotherm/backup.key')
}

/** Runs walk.ts in a separate network namespace without any connection. Returns whether it succeeded. */
function walk(debian: string): boolean {
  const script = `
    set -eu
    ip link set lo up
    mount -t proc proc "$1/proc"
    shift
    exec "$@"`
  const command = [
    'chroot',
    '--userspec=isotherm:isotherm',
    debian,
    '/usr/bin/env',
    '-i',
    '/opt/isotherm/bin/isotherm',
  ]
  const driver = [process.execPath, join(import.meta.dirname, 'walk.ts')]
  const facts = [
    '--data',
    '/var/lib/isotherm',
    '--backups',
    '/var/backups/isotherm',
    '--key',
    '/etc/isotherm/backup.key',
  ]
  const words = ['--net', '--mount', 'sh', '-c', script, 'sh', debian, ...driver, ...facts, '--', ...command]
  return spawnSync('unshare', words, { stdio: 'inherit' }).status === 0
}

/** Prints the exposure that systemd computes for the service. tools/deploy.test.ts verifies the units. */
function showExposure(): void {
  if (!existsSync('/usr/bin/systemd-analyze')) return
  const unit = join(root, 'deploy/systemd/isotherm.service')
  const words = ['security', '--offline=true', '--no-pager', unit]
  console.log(execFileSync('systemd-analyze', words, { encoding: 'utf8' }).trim().split('\n').at(-1))
}

try {
  if (process.getuid?.() !== 0) throw new ReleaseError('only root can make a root folder and a network')
  const archive = resolve(root, values.archive)
  if (!existsSync(archive)) throw new ReleaseError(`${archive} is missing: npm run release`)
  const debian = values.root ?? mkdtempSync(join(tmpdir(), 'isotherm-debian-'))
  try {
    await checkSum(archive)
    if (values.root === undefined) makeDebian(debian)
    install(debian, archive)
    showExposure()
    if (!walk(debian)) process.exitCode = 1
  } finally {
    if (values.root === undefined) rmSync(debian, { recursive: true, force: true })
  }
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error
  console.error(`release:prove: ${error.message}`)
  process.exitCode = 1
}
