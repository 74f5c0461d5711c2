import { createServer as createHttpServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import { readBody } from '../../../testing/read-body.testkit.ts'

export interface ReceivedCall {
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

/** Status of the answer to a call, by its body. */
type ToStatus = (body: unknown) => number

const listen = async (server: Server | TcpServer): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}
const stop = (server: Server | TcpServer) => new Promise<void>((resolve) => server.close(() => resolve()))

/** A small HTTP server that keeps the calls it gets. */
export async function startReceiver() {
  const received: ReceivedCall[] = []
  let answer: { readonly status: ToStatus; readonly body: string } = { status: () => 200, body: '{}' }
  const server = createHttpServer(async (request, response) => {
    const text = await readBody(request)
    if (text === undefined) return
    const body: unknown = JSON.parse(text)
    received.push({ url: new URL(request.url ?? '/', 'http://localhost'), headers: request.headers, body })
    response.writeHead(answer.status(body), { Connection: 'close' }).end(answer.body)
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answerWith(status: number | ToStatus, body: object) {
      const toStatus = typeof status === 'number' ? () => status : status
      answer = { status: toStatus, body: JSON.stringify(body) }
    },
    stop: () => stop(server),
  }
}

/** A small SMTP server without extensions (RFC 5321). `refuse`: its answer to every recipient. */
export async function startMailbox(refuse?: string) {
  const mails: { readonly recipients: readonly string[]; readonly data: string }[] = []
  const server = createTcpServer((socket) => {
    let recipients: string[] = []
    let text = ''
    let isData = false
    const say = (line: string) => socket.write(`${line}\r\n`)
    say('220 mailbox')
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      text += chunk.toString()
      for (;;) {
        if (isData) {
          const end = text.indexOf('\r\n.\r\n')
          if (end < 0) return
          mails.push({ recipients, data: text.slice(0, end) })
          text = text.slice(end + 5)
          recipients = []
          isData = false
          say('250 accepted')
          continue
        }
        const end = text.indexOf('\r\n')
        if (end < 0) return
        const line = text.slice(0, end)
        text = text.slice(end + 2)
        const to = /^RCPT TO:<(?<address>[^>]+)>/i.exec(line)?.groups?.address
        if (to !== undefined && refuse === undefined) recipients.push(to)
        if (/^DATA/i.test(line)) {
          isData = true
          say('354 go on')
        } else if (/^QUIT/i.test(line)) {
          say('221 bye')
          socket.end()
        } else say(to !== undefined && refuse !== undefined ? refuse : '250 ok')
      }
    })
  })
  const port = await listen(server)
  return { url: `smtp://127.0.0.1:${port}`, mails, stop: () => stop(server) }
}
