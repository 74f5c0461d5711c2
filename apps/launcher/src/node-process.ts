import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { exitOf, signal, waitForExit } from '@isotherm/engines/process-life'
import type { Running } from '@isotherm/engines/supervise'
import type { LineSink } from './log-file.ts'

export interface NodeProcess extends Running {
  readonly pid: number
  /** Parsed JSON after its ready mark. */
  readonly ready: unknown
}

export interface NodeProcessOptions {
  readonly name: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** The program is ready when it prints a line that starts with this word, followed by JSON. */
  readonly readyMark: string
  /** A start is given up after so long without a line of output: a migration of large tables or a slow machine takes long. */
  readonly silentMs: number
  /** Time to end in good order before it is killed. */
  readonly graceMs: number
  readonly log: LineSink
  /** A line for the terminal while the start takes long. */
  readonly report: LineSink
  /** Cancels the start. */
  readonly abort: AbortSignal
}

const REPORT_EVERY_MS = 15_000

/**
 * Starts a Node program of this product and waits until it is ready. It ends on its own when this process dies, because its
 * IPC channel closes. Throws if it ends or hangs; the message contains its last output.
 */
export async function startNodeProcess(options: NodeProcessOptions): Promise<NodeProcess> {
  // A separate process group: Ctrl-C in the terminal only reaches this process, which ends the parts in order.
  const child = spawn(process.execPath, [...options.args], {
    env: options.env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  })
  const pid = child.pid ?? 0
  const exited = exitOf(child)
  const ready = Promise.withResolvers<unknown>()
  const lastWords: string[] = []
  const take = (line: string) => {
    silence.refresh()
    if (line.startsWith(`${options.readyMark} `)) {
      ready.resolve(JSON.parse(line.slice(options.readyMark.length + 1)))
      return
    }
    lastWords.push(line)
    if (lastWords.length > 3) lastWords.shift()
    options.log(line)
  }
  const fail = (why: string) => ready.reject(new Error(`${options.name} ${why}: ${lastWords.join(' | ')}`))
  child.once('error', (error) => fail(error.message))
  // 'close' follows the last line of output, 'exit' may not.
  child.once('close', (code, name) => fail(`ended with ${code ?? name} before it was ready`))
  const silence = setTimeout(
    () => fail(`is not ready and has printed nothing for ${options.silentMs / 1000} s`),
    options.silentMs,
  )
  let waitedMs = 0
  const reporting = setInterval(() => {
    waitedMs += REPORT_EVERY_MS
    options.report(`${options.name} is starting, ${waitedMs / 1000} s so far`)
  }, REPORT_EVERY_MS)
  for (const stream of [child.stdout, child.stderr])
    if (stream) createInterface({ input: stream }).on('line', take)
  const onAbort = () => fail('was stopped while starting')
  options.abort.addEventListener('abort', onAbort)
  if (options.abort.aborted) onAbort()

  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    signal(pid, 'SIGTERM')
    if (!(await waitForExit(pid, options.graceMs))) signal(pid, 'SIGKILL')
    await exited
  }
  try {
    return { pid, exited, stop, ready: await ready.promise }
  } catch (error) {
    await stop()
    throw error
  } finally {
    clearTimeout(silence)
    clearInterval(reporting)
    options.abort.removeEventListener('abort', onAbort)
  }
}

export interface RunOptions {
  readonly name: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** Kills the program. */
  readonly abort: AbortSignal
}

/** Runs a Node program to its end. Throws if it fails; the message contains its last output. */
export async function runNode({ name, args, env, abort }: RunOptions): Promise<void> {
  const child = spawn(process.execPath, [...args], { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => lines.push(line))
  }
  const onAbort = () => child.kill('SIGKILL')
  abort.addEventListener('abort', onAbort)
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', (status) => resolve(status))
  })
  abort.removeEventListener('abort', onAbort)
  if (code === 0) return
  // A stack says where in a library it happened, not what.
  const lastWords = lines.filter((line) => line.trim() !== '' && !line.startsWith('    at ')).slice(-8)
  throw new Error(`${name} failed: ${lastWords.join(' | ')}`)
}
