import { type ChildProcess, fork } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const quoteEnd = 2_000

/** A Node process of this product with output read by line; it ends with this process. */
export function startProcess(
  file: URL,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): ChildProcess {
  return fork(fileURLToPath(file), args, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
}

/** The text behind `prefix` in the first line that has it. Rejects with the last output if the process ends before. */
export function waitForLine(child: ChildProcess, prefix: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let tail = ''
    const keep = (line: string) => {
      tail = `${tail}\n${line}`.slice(-quoteEnd)
    }
    if (child.stderr) createInterface(child.stderr).on('line', keep)
    if (child.stdout) {
      createInterface(child.stdout).on('line', (line) => {
        keep(line)
        if (line.startsWith(prefix)) resolve(line.slice(prefix.length))
      })
    }
    child.once('exit', (code) => reject(new Error(`${child.spawnfile} ended with ${code}:${tail}`)))
  })
}

/** Ends a process cleanly and waits for its end. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await gone
}
