import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The outcome of a query: an address, an error of the name server, no such name, or no answer at all. */
export type NameAnswer = 'address' | 'failure' | 'unknown' | 'silence'

/** Names below this one lead to this machine. */
const DOMAIN = 'isotherm.test'
const PORT = 53
const TYPE_A = 1
const HEADER_BYTES = 12
/** Response codes of RFC 1035. */
const codes = { address: 0, failure: 2, unknown: 3 } as const

/** Whether programs can have name servers of their own on this machine: that takes root and mount namespaces. */
export const canOwnNames =
  process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true'], { stdio: 'ignore' }).status === 0

/** A DNS server of a test. */
export interface NameServer {
  /** A program that runs Node with this DNS server in its /etc/resolv.conf, and with nothing else different. */
  readonly node: string
  nameOf(host: string): string
  answerWith(answer: NameAnswer): void
  /** Number of queries so far. */
  countQueries(): number
  close(): Promise<void>
}

/** The type of the question, and where it ends. */
function readQuestion(query: Buffer): { readonly type: number; readonly end: number } {
  let at = HEADER_BYTES
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) at += 1 + length
  return { type: query.readUInt16BE(at + 1), end: at + 5 }
}

function toReply(query: Buffer, answer: keyof typeof codes): Buffer {
  const { type, end } = readQuestion(query)
  const hasAddress = answer === 'address' && type === TYPE_A
  const head = Buffer.alloc(HEADER_BYTES)
  query.copy(head, 0, 0, 2)
  // A response, recursion desired and available.
  head.writeUInt16BE(0x8180 | codes[answer], 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(hasAddress ? 1 : 0, 6)
  const question = query.subarray(HEADER_BYTES, end)
  // The name of the question, type A, class IN, valid for 0 s, 127.0.0.1.
  const record = Buffer.from([0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1])
  return Buffer.concat([head, question, ...(hasAddress ? [record] : [])])
}

/** An address of this machine for each process of the tests. */
const toAddress = (pid: number): string => `127.53.${(pid >> 8) & 0xff}.${Math.max(1, pid & 0xff)}`

export async function startNameServer(): Promise<NameServer> {
  const folder = await mkdtemp(join(tmpdir(), 'isotherm-names-'))
  const address = toAddress(process.pid)
  const [resolv, node] = [join(folder, 'resolv.conf'), join(folder, 'node')]
  await writeFile(resolv, `nameserver ${address}\n`)
  const script = `exec unshare --mount sh -c 'mount --bind ${resolv} /etc/resolv.conf && exec "$0" "$@"' ${process.execPath} "$@"`
  await writeFile(node, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const socket = createSocket('udp4')
  let answer: NameAnswer = 'address'
  let queries = 0
  socket.on('message', (query, { port, address: from }) => {
    queries += 1
    if (answer !== 'silence') socket.send(toReply(query, answer), port, from)
  })
  socket.bind(PORT, address)
  await once(socket, 'listening')
  return {
    node,
    nameOf: (host) => `${host}.${DOMAIN}`,
    answerWith(next) {
      answer = next
    },
    countQueries: () => queries,
    async close() {
      socket.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
