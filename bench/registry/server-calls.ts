import { createHash } from 'node:crypto'
import { Agent, request } from 'node:http'
import { type Endpoint, toUrlPath } from '@isotherm/contract/endpoint'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { htApiEnvelope, usrCloudEnvelope } from '@isotherm/contract/envelope'
import type { z } from 'zod'

interface Answer {
  readonly data: unknown
  readonly cookie: string
  /** From the first byte sent to the last byte received, ms. */
  readonly ms: number
  readonly bytes: number
}

/** An answer parsed by the contract, and its time. */
export interface Timed<Output> {
  readonly data: Output
  readonly ms: number
  readonly bytes: number
}

export interface Session {
  /** Token of the second backend; the live push needs it. Changes with `renew`. */
  readonly bearer: string
  /** Exchanges both tokens, as a console does before they end. */
  renew(): Promise<void>
  /** Calls an endpoint with the account's token. Throws the server's error if the call is refused. */
  call<Input extends z.ZodType, Output>(
    endpoint: Endpoint<Input, z.ZodType<Output>>,
    input: z.input<Input>,
  ): Promise<Timed<Output>>
  /** Downloads a text file of the second backend and discards it. */
  download(endpoint: Endpoint, input: unknown): Promise<Downloaded>
}

/** A downloaded and discarded file. */
export interface Downloaded {
  readonly lines: number
  readonly bytes: number
  readonly ms: number
}

export interface ServerCalls {
  logIn(account: string, password: string): Promise<Session>
  /** Time of one login to the first backend, ms. */
  timeLogin(account: string, password: string): Promise<number>
  close(): void
}

function toData(endpoint: Endpoint, text: string): unknown {
  const raw: unknown = JSON.parse(text)
  if (endpoint.backend === 'usr-cloud') {
    const { status, info, data } = usrCloudEnvelope.parse(raw)
    if (status !== 0) throw new Error(`${endpoint.path}: ${info}`)
    return data
  }
  const { status, message, data } = htApiEnvelope.parse(raw)
  if (status !== '200') throw new Error(`${endpoint.path}: ${message}`)
  return data
}

/** Creates calls that use persistent connections, like a browser. */
export function createServerCalls(port: number): ServerCalls {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })

  function send(endpoint: Endpoint, input: unknown, headers: Record<string, string>): Promise<Answer> {
    const started = performance.now()
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port,
          agent,
          method: endpoint.method,
          path: toUrlPath(endpoint),
          headers: { 'Accept-Language': 'en', 'Content-Type': 'application/json', ...headers },
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            const ms = performance.now() - started
            const whole = Buffer.concat(chunks)
            const cookie = response.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
            try {
              resolve({ data: toData(endpoint, whole.toString('utf8')), cookie, ms, bytes: whole.length })
            } catch (error) {
              reject(error)
            }
          })
        },
      )
      sent.on('error', reject)
      // A GET with a body would be two broken requests to the server.
      sent.end(endpoint.method === 'GET' ? undefined : JSON.stringify(input))
    })
  }

  function downloadAndCount(
    endpoint: Endpoint,
    input: unknown,
    headers: Record<string, string>,
  ): Promise<Downloaded> {
    const started = performance.now()
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port,
          agent,
          method: endpoint.method,
          path: toUrlPath(endpoint),
          headers: { 'Content-Type': 'application/json', ...headers },
        },
        (response) => {
          let lines = 0
          let bytes = 0
          if (!response.headers['content-disposition']) reject(new Error(`${endpoint.path} answers no file`))
          response.on('data', (chunk: Buffer) => {
            bytes += chunk.length
            for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1
          })
          response.on('error', reject)
          response.on('end', () => resolve({ lines, bytes, ms: performance.now() - started }))
        },
      )
      sent.on('error', reject)
      sent.end(JSON.stringify(input))
    })
  }

  const toCredentials = (username: string, password: string) => ({
    username,
    password: createHash('sha256').update(password).digest('hex'),
  })

  return {
    async logIn(account, password) {
      const credentials = toCredentials(account, password)
      const first = await send(endpoints.login, credentials, {})
      const second = await send(endpoints.tokenLogin, credentials, { Cookie: first.cookie })
      let { token } = endpoints.login.output.parse(first.data)
      let { data: bearer } = endpoints.tokenLogin.output.parse(second.data)
      const session: Session = {
        get bearer() {
          return bearer
        },
        async renew() {
          token = (await session.call(endpoints.refreshToken, {})).data.token
          bearer = (await session.call(endpoints.reflushToken, {})).data.data
        },
        download: (endpoint, input) =>
          downloadAndCount(endpoint, input, { Authorization: `Bearer ${bearer}` }),
        async call(endpoint, input) {
          const headers: Record<string, string> =
            endpoint.backend === 'usr-cloud' ? { token } : { Authorization: `Bearer ${bearer}` }
          const { data, ms, bytes } = await send(endpoint, input, headers)
          return { data: endpoint.output.parse(data), ms, bytes }
        },
      }
      return session
    },
    async timeLogin(account, password) {
      return (await send(endpoints.login, toCredentials(account, password), {})).ms
    },
    close: () => agent.destroy(),
  }
}
