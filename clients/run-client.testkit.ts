import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'

/** Whether this machine has Python 3, which one of the clients needs. */
const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 8))']).status === 0

export interface ReferenceClient {
  readonly name: string
  readonly canRun: boolean
  /** Program and first words of its command. */
  toCommand(host: string, port: number): readonly string[]
  /** What a device without history stores, apart from its number of starts. */
  readonly fresh: object
}

const folder = import.meta.dirname

/** The reference clients; the rest of their arguments is the same. */
export const referenceClients: readonly ReferenceClient[] = [
  {
    name: 'TypeScript',
    canRun: true,
    toCommand: (host, port) => [
      process.execPath,
      join(folder, 'typescript/main.ts'),
      `mqtt://${host}:${port}`,
    ],
    fresh: { rev: -1, opening: 20, closesAt: 0, stored: [], replies: [] },
  },
  {
    name: 'Python',
    canRun: hasPython,
    toCommand: (host, port) => ['python3', '-B', join(folder, 'python/device.py'), host, String(port)],
    fresh: { rev: -1, opening: 20, target: null, closes: 0, stored: [], replies: [], active: null },
  },
]

for (const { name, canRun } of referenceClients)
  if (!canRun) console.info(`the ${name} client cannot run on this machine, so its tests are skipped`)

const stored = z.object({
  boot: z.number(),
  stored: z.array(z.object({ boot: z.number(), seq: z.number() })),
})

export interface ClientLogin {
  readonly port: number
  readonly username: string
  readonly password: string
  readonly valve: string
}

/**
 * A client as a process that a test can kill and start again with its file. `boot`: starts before the first one; numbers that an
 * earlier client of the same concentrator has used would be repetitions for the server.
 */
export function createClientProcess(
  client: ReferenceClient,
  { port, username, password, valve }: ClientLogin,
  { boot, intervalS, strokeS }: Readonly<Record<'boot' | 'intervalS' | 'strokeS', number>>,
) {
  const home = mkdtempSync(join(tmpdir(), 'isotherm-client-'))
  const file = join(home, 'state.json')
  writeFileSync(file, JSON.stringify({ ...client.fresh, boot }))
  let child: ChildProcess | undefined

  async function end(signal: NodeJS.Signals): Promise<void> {
    const ending = child
    child = undefined
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return
    const gone = once(ending, 'exit')
    ending.kill(signal)
    await gone
  }

  return {
    start(): void {
      const [program = '', ...words] = client.toCommand('127.0.0.1', port)
      const rest = [username, password, valve, file, String(intervalS), String(strokeS)]
      child = spawn(program, [...words, ...rest], { stdio: ['ignore', 'ignore', 'ignore'] })
    },
    kill: () => end('SIGKILL'),
    /** What it stores over a restart. */
    readState: () => stored.parse(JSON.parse(readFileSync(file, 'utf8'))),
    async close(): Promise<void> {
      await end('SIGKILL')
      rmSync(home, { recursive: true })
    },
  }
}

/** A network between a client and a broker that a test can cut. */
export async function startNetwork(brokerPort: number) {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return near.destroy()
    const far = connect(brokerPort, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cut(): void {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    repair(): void {
      isCut = false
    },
    async close(): Promise<void> {
      this.cut()
      server.close()
      await once(server, 'close')
    },
  }
}
