import { connect, createServer } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { DAY_MS } from '@isotherm/kernel/durations'
import { z } from 'zod'
import { type Finding, fault, ok, toReason, warning } from './finding.ts'

const ANSWER_MS = 5_000
const WARNING_DAYS = 21

interface Address {
  readonly host: string
  readonly port: number
}

/** A host as an address to connect to. */
const toVisitable = (host: string): string => (host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host)

const isListening = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: toVisitable(host), port, timeout: ANSWER_MS })
    const end = (result: boolean) => {
      socket.destroy()
      resolve(result)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
    socket.once('timeout', () => end(false))
  })

/** Undefined if the port can be used. */
const findPortFault = (host: string, port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error) => resolve(toReason(error)))
    probe.listen(port, host, () => probe.close(() => resolve(undefined)))
  })

const readiness = z.object({ status: z.string(), checks: z.record(z.string(), z.boolean()) })

/** Whether the server answers on its port, or the port is free for it. */
export async function checkServer(host: string, port: number): Promise<Finding> {
  if (port === 0) return ok('server: takes any free port')
  const at = `port ${port} of ${host}`
  if (!(await isListening(host, port))) {
    const reason = await findPortFault(host, port)
    if (reason === undefined) return warning(`server: does not run; ${at} is free`, 'isotherm serve')
    return fault(`server: ${at} cannot be used (${reason})`, 'set ISOTHERM_PORT or ISOTHERM_HOST')
  }
  try {
    const name = toVisitable(host).includes(':') ? `[${toVisitable(host)}]` : toVisitable(host)
    const response = await fetch(`http://${name}:${port}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS) })
    const { status, checks } = readiness.parse(await response.json())
    const failing = Object.entries(checks).flatMap(([check, isFine]) => (isFine ? [] : check))
    if (failing.length === 0) return ok(`server: ${status} at ${at}`)
    return fault(`server: not ready at ${at}: ${failing.join(', ')}`, 'see the lines of these parts')
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError')
      return fault(`server: no answer at ${at} within ${ANSWER_MS / 1_000} s`, 'see the log of the service')
    return fault(
      `server: another program answers at ${at}`,
      'end that program, or set ISOTHERM_PORT to another port',
    )
  }
}

/** Whether gateways can connect to a port of the embedded broker, or it is free for it. `name` is the variable of the port. */
export async function checkEmbeddedBroker(
  { host, port }: Address,
  server: Address,
  name: 'ISOTHERM_MQTT_PORT' | 'ISOTHERM_MQTT_TLS_PORT' = 'ISOTHERM_MQTT_PORT',
): Promise<Finding> {
  if (port === 0) return warning('broker: takes any free port', `set ${name}, so that gateways find it`)
  if (await isListening(host, port)) {
    // It is part of the server process.
    if (server.port === 0 || (await isListening(server.host, server.port)))
      return ok(`broker: accepts connections at port ${port} of ${host}`)
    const what = `broker: does not run, and another program listens at port ${port} of ${host}`
    return fault(what, `end that program, set ${name}, or use it as broker with MQTT_URL`)
  }
  const reason = await findPortFault(host, port)
  if (reason === undefined) return warning(`broker: does not run; port ${port} is free`, 'isotherm serve')
  return fault(`broker: port ${port} of ${host} cannot be used (${reason})`, `set ${name}`)
}

/** The certificate behind an address with TLS. */
export function checkCertificate(name: string, address: string, now: number): Promise<Finding> {
  const url = new URL(address)
  const port = Number(url.port) || (url.protocol === 'mqtts:' ? 8883 : 443)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const what = `certificate of ${name} (${host}:${port})`
  return new Promise((resolve) => {
    const socket = connectTls({ host, port, servername: host, rejectUnauthorized: false, timeout: ANSWER_MS })
    const end = (finding: Finding) => {
      socket.destroy()
      resolve(finding)
    }
    socket.once('error', (error) =>
      end(fault(`${what}: no TLS connection (${toReason(error)})`, 'check that the proxy runs')),
    )
    socket.once('timeout', () => end(fault(`${what}: no answer`, 'check that the proxy runs')))
    socket.once('secureConnect', () => {
      const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - now) / DAY_MS)
      const repair = 'renew the certificate'
      if (days < 0) return end(fault(`${what}: expired ${-days} days ago`, repair))
      if (!socket.authorized)
        return end(
          fault(
            `${what}: not trusted (${String(socket.authorizationError)})`,
            'use a certificate of a trusted authority, or name yours in NODE_EXTRA_CA_CERTS',
          ),
        )
      end(
        days < WARNING_DAYS
          ? warning(`${what}: expires in ${days} days`, repair)
          : ok(`${what}: valid for ${days} days`),
      )
    })
  })
}
