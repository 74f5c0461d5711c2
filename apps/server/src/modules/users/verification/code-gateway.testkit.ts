import { createServer } from 'node:http'
import { z } from 'zod'
import { readBody } from '../../../testing/read-body.testkit.ts'

const message = z.object({ tel: z.string(), code: z.string() })

/** Undefined for what is no message: a test of damaged inputs may send anything to the address of the gateway. */
function parseMessage(body: string): z.infer<typeof message> | undefined {
  try {
    return message.parse(JSON.parse(body))
  } catch {
    return undefined
  }
}

export interface TestGateway {
  readonly url: string
  /** The newest code sent to a number. */
  findCode(tel: string): string | undefined
  /** Sets the status of later answers; undefined: it never answers. */
  answerWith(status: number | undefined): void
  stop(): Promise<void>
}

/** An HTTP server that accepts messages like an operator's gateway. */
export async function startTestGateway(): Promise<TestGateway> {
  const codes = new Map<string, string>()
  let status: number | undefined = 200
  const server = createServer(async (request, response) => {
    const body = await readBody(request)
    if (status === undefined || body === undefined) return
    const sent = parseMessage(body)
    if (sent && status === 200) codes.set(sent.tel, sent.code)
    response.writeHead(sent ? status : 400).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/messages`,
    findCode: (tel) => codes.get(tel),
    answerWith(next) {
      status = next
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
