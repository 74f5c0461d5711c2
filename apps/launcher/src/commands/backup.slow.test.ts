/** Backup and restore as an operator runs them: the launcher's commands on embedded engines. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'

const main = join(import.meta.dirname, '../main.ts')
const TOKEN = /"token":"[^"]{20,}"/i
const PASSWORD = 'a long enough password'

let folder: string
const running: ChildProcess[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'launcher-backup-'))
})
afterEach(async () => {
  for (const child of running.splice(0)) await end(child)
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

const launch = (data: string, words: readonly string[]) =>
  spawn(process.execPath, [main, ...words], {
    stdio: 'pipe',
    env: {
      PATH: process.env.PATH,
      ISOTHERM_DATA: join(folder, data),
      ISOTHERM_PORT: '0',
      ISOTHERM_MQTT_PORT: '0',
      ISOTHERM_LOG_LEVEL: 'error',
    },
  })

async function run(data: string, words: readonly string[], input = '') {
  const child = launch(data, words)
  child.stdin.end(input)
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code, output: out + err }
}

/** Starts the product in production; resolves with the address of its console. */
async function serve(data: string): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const child = launch(data, ['serve'])
  running.push(child)
  child.stderr.resume()
  for await (const line of createInterface(child.stdout)) {
    const url = /Console +(http\S+)/.exec(line)?.[1]
    if (url === undefined) continue
    child.stdout.resume()
    return { url, child }
  }
  throw new Error('the product ended before it was ready')
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

/** The answer to a login, which has a token if it succeeds. */
async function logIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/usrCloud/user/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      username: 'chief',
      password: createHash('sha256').update(PASSWORD).digest('hex'),
    }),
  })
  return answer.text()
}

test('a backup of the running product is restored into an empty folder, whose server knows the account', {
  timeout: 400_000,
}, async () => {
  expect((await run('first', ['admin', '--account', 'chief'], PASSWORD)).output).toContain('created')
  const first = await serve('first')
  expect(await logIn(first.url)).toMatch(TOKEN)

  await writeFile(join(folder, 'key'), 'the key of this installation, kept elsewhere')
  const key = ['--key-file', join(folder, 'key')]
  const made = await run('first', ['backup', '--to', join(folder, 'backups'), ...key])
  expect(made, made.output).toMatchObject({ code: 0 })
  const [name = ''] = await readdir(join(folder, 'backups'))
  const from = ['--from', join(folder, 'backups', name)]

  const refused = await run('first', ['restore', ...from, ...key])
  expect(refused.output).toMatch(/data folder \S+ is in use by process \d+; end it or set ISOTHERM_DATA/)
  expect(refused.code).toBe(1)
  expect(await logIn(first.url)).toMatch(TOKEN)
  await end(first.child)
  expect((await run('first', ['restore', ...from, ...key])).output).toMatch(
    /data folder \S+ is not empty \(.*\); a restore needs an empty one/,
  )

  // A restore that is refused leaves an empty folder, which the next one accepts.
  expect((await run('second', ['restore', ...from])).output).toContain('is encrypted')
  const restored = await run('second', ['restore', ...from, ...key])
  expect(restored, restored.output).toMatchObject({ code: 0 })
  const secretOf = async (data: string): Promise<unknown> =>
    JSON.parse(await readFile(join(folder, data, 'secrets.json'), 'utf8')).mqtt
  expect(await secretOf('second')).toBe(await secretOf('first'))
  const second = await serve('second')
  expect(await logIn(second.url)).toMatch(TOKEN)
  expect((await fetch(`${second.url}/readyz`)).status).toBe(200)
})
