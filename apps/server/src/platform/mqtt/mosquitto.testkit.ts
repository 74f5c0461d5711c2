import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findFreePort } from '@isotherm/engines/process-life'

/** Folders of the broker on Debian; others from the path. */
const folders = ['/usr/sbin', '/usr/local/sbin', '/usr/bin', ...(process.env.PATH ?? '').split(':')]

/** Path of a program, or undefined if it is not installed. */
const findProgram = (name: string): string | undefined =>
  folders.map((folder) => join(folder, name)).find((path) => existsSync(path))

const program = findProgram('mosquitto')
/** Hashes a file of passwords; comes with Mosquitto. */
export const hashProgram = findProgram('mosquitto_passwd') ?? 'mosquitto_passwd'

/** Whether Mosquitto is installed on this machine. */
export const hasMosquitto = program !== undefined

/** A real broker for tests. */
export interface Mosquitto {
  readonly url: string
  /** Ends it with kill -9, or with an orderly stop that saves its state. */
  kill(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>
  /** Starts it again on the same port, with its saved state. */
  restart(): Promise<void>
  close(): Promise<void>
}

async function waitUntilOpen(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const socket = connect(port, '127.0.0.1')
    const opened = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(
        () => false,
        () => false,
      ),
    ]).catch(() => false)
    socket.destroy()
    if (opened) return
    await pause(50)
  }
  throw new Error(`mosquitto does not answer on port ${port}`)
}

/**
 * Starts a broker without a queue limit, as an installation must configure it: by default Mosquitto queues 1,000 messages
 * per client and drops the rest. `access`: further settings; by default everybody may do everything.
 */
export async function startMosquitto(
  access: readonly string[] = ['allow_anonymous true'],
): Promise<Mosquitto> {
  if (program === undefined) throw new Error('this machine has no mosquitto')
  const command = program
  const folder = await mkdtemp(join(tmpdir(), 'isotherm-mosquitto-'))
  const port = await findFreePort()
  const settings = [
    `listener ${port} 127.0.0.1`,
    ...access,
    'max_queued_messages 0',
    'persistence true',
    `persistence_location ${folder}/`,
    'user root',
  ]
  await writeFile(join(folder, 'mosquitto.conf'), settings.join('\n'))
  let child: ChildProcess

  async function launch(): Promise<void> {
    child = spawn(command, ['-c', join(folder, 'mosquitto.conf')], { stdio: 'ignore' })
    await waitUntilOpen(port)
  }

  async function kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }

  await launch()
  return {
    url: `mqtt://127.0.0.1:${port}`,
    kill,
    restart: launch,
    async close() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
