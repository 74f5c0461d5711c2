/**
 * What an operator does with an installation, from the first command to the clean stop. Started by the proofs of an archive,
 * in a machine or a network of their own; prints one line for each step.
 *
 *   node tools/release/walk.ts --data FOLDER --backups FOLDER --key FILE -- COMMAND...
 *
 * COMMAND is what comes before the words of `isotherm`, for example `env -i /opt/isotherm/bin/isotherm`. Folders and file are
 * as the command sees them.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'

const TOKEN = /"token":"[^"]{20,}"/i
const PASSWORD = 'warm houses since 1955'
const { values, positionals } = parseArgs({
  options: {
    data: { type: 'string', default: '' },
    backups: { type: 'string', default: '' },
    key: { type: 'string', default: '' },
  },
  allowPositionals: true,
})
const [file = '', ...prefix] = positionals

const launch = (words: readonly string[]): ChildProcess =>
  spawn(file, [...prefix, ...words], { stdio: ['pipe', 'pipe', 'pipe'], cwd: '/' })

/** Exit code of a backup while another one is running: the server makes one after its first start. */
const TRY_LATER = 75

async function run(words: readonly string[], input = ''): Promise<string> {
  const child = launch(words)
  child.stdin?.end(input)
  const output = Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : '')))
  const [code] = await once(child, 'close')
  const printed = (await output).join('')
  if (code === TRY_LATER) {
    await delay(500)
    return run(words, input)
  }
  assert.equal(code, 0, `isotherm ${words.join(' ')} ended with ${code}:\n${printed}`)
  return printed
}

/** Starts the server; resolves with its address when it is ready. */
async function serve(): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const child = launch(['serve'])
  const printed: string[] = []
  child.stderr?.on('data', (chunk) => printed.push(String(chunk)))
  assert(child.stdout)
  for await (const line of createInterface(child.stdout)) {
    printed.push(`${line}\n`)
    const url = /Console +(http\S+)/.exec(line)?.[1]
    if (url === undefined) continue
    child.stdout.resume()
    return { url, child }
  }
  throw new Error(`isotherm serve ended before it was ready:\n${printed.join('')}`)
}

/** The answer to a sign-in, which has a token if it succeeds. */
async function signIn(url: string, password: string): Promise<string> {
  const answer = await fetch(`${url}/usrCloud/user/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      username: 'chief',
      password: createHash('sha256').update(password).digest('hex'),
    }),
  })
  return answer.text()
}

/** Processes whose command names the folder. */
const listProcesses = (): readonly string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      } catch {
        return ''
      }
    })
    .filter((command) => command.includes(`${values.data}/`))

async function step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const from = performance.now()
  const result = await work()
  console.log(`${name}: ${((performance.now() - from) / 1000).toFixed(1)} s`)
  return result
}

console.log((await step('version', () => run(['version']))).trim())
await step('doctor before the first start', () => run(['doctor']))
const { url, child } = await step('serve until ready', serve)
try {
  await step('admin', () => run(['admin', '--account', 'chief'], PASSWORD))
  assert.match(await step('sign in', () => signIn(url, PASSWORD)), TOKEN)
  assert.doesNotMatch(await signIn(url, 'another one'), TOKEN)
  const page = await fetch(url)
  assert.equal(page.status, 200)
  assert.match(await page.text(), /<div id="root">/)
  await step('backup', () => run(['backup', '--to', values.backups, '--key-file', values.key]))
  const examined = await step('doctor of the running server', () => run(['doctor']))
  assert.match(examined, /tables of ClickHouse: up to date/)
} finally {
  child.kill('SIGTERM')
}
const [code] = await step('stop', () => once(child, 'exit'))
assert.equal(code, 0, `isotherm serve ended with ${code}`)
assert.deepEqual(listProcesses(), [])
console.log('walked')
