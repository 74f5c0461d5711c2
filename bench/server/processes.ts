import { type ChildProcess, fork } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** Number of characters of the last output that an error quotes. */
const QUOTED_CHARACTERS = 2_000

/** Starts a Node process of this product. It ends when this process ends. */
export function startProcess(
  file: URL,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): ChildProcess {
  return fork(fileURLToPath(file), args, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
}

/**
 * Waits for a line with `prefix` and returns the rest of that line. Rejects with the last output if the process ends.
 */
export function waitForLine(child: ChildProcess, prefix: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let tail = ''
    const addToTail = (line: string) => {
      tail = `${tail}\n${line}`.slice(-QUOTED_CHARACTERS)
    }
    if (child.stderr) createInterface(child.stderr).on('line', addToTail)
    if (child.stdout) {
      createInterface(child.stdout).on('line', (line) => {
        addToTail(line)
        if (line.startsWith(prefix)) resolve(line.slice(prefix.length))
      })
    }
    child.once('exit', (code) => reject(new Error(`${child.spawnfile} ended with ${code}:${tail}`)))
  })
}

/** Asks a process to end and waits until it has ended. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await gone
}
