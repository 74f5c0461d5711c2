import { KEEP_ALIVE_S, toMqttUsername, toUpTopic } from '@isotherm/contract/mqtt'
import type { IConnectPacket } from 'mqtt-packet'
import type { Findings } from './findings.ts'
import { readWill } from './read-message.ts'

/** The device that is expected, and what it was given. */
export interface ExpectedDevice {
  readonly tenant: string
  readonly gateway: string
  readonly password: string
  /** A one-time token that it was given instead of the password. */
  readonly token?: string | undefined
}

/** What a device signed in with. `decoy`: a password that it had to ignore. */
export type SignInWay = 'password' | 'token' | 'decoy'

/** Sent on down/login of a connection with the password, where a device must ignore it. */
export const DECOY = 'a password that no device obeys'

export interface SignIns {
  /** Checks a CONNECT and returns the return code of its CONNACK. */
  judge(packet: IConnectPacket): number
  /** What the last accepted CONNECT had. */
  readonly way: SignInWay | undefined
  /** From now on the decoy is recognised. */
  noteDecoy(): void
}

const REFUSED = 5

export function createSignIns(device: ExpectedDevice, findings: Findings): SignIns {
  const { tenant, gateway, password, token } = device
  const username = toMqttUsername(tenant, gateway)
  let way: SignInWay | undefined
  let isTokenSpent = token === undefined
  let isDecoySent = false

  function findWay(sent: string): SignInWay | undefined {
    if (sent === password) return 'password'
    if (sent === token) return 'token'
    return isDecoySent && sent === DECOY ? 'decoy' : undefined
  }

  /** Whether the password lets it in. */
  function judgePassword(sent: string): boolean {
    const given = findWay(sent)
    findings.check('password', given !== undefined, 'the password is another one')
    if (isDecoySent)
      findings.check('login-ignored', given !== 'decoy', 'it connected with the password of such a message')
    if (given === 'token' && isTokenSpent) {
      findings.check('token-login', false, 'it connected with its token again after its own password')
      return false
    }
    if (given === 'password') isTokenSpent = true
    if (given !== undefined) way = given
    return given !== undefined
  }

  return {
    get way() {
      return way
    },
    noteDecoy() {
      isDecoySent = true
    },
    judge(packet) {
      const { protocolVersion: level = 4, clientId, keepalive = 0, clean, will } = packet
      findings.check('mqtt-version', level < 5, `it connected with protocol level ${level}`)
      if (level === 5) return 1
      const user = packet.username ?? ''
      findings.check('user-name', user === username, `it sent "${user}" instead of "${username}"`)
      if (user !== username || !judgePassword(String(packet.password))) return REFUSED
      findings.check('client-id', clientId === username, `it sent "${clientId}" instead of "${username}"`)
      findings.check('clean-session', clean === false, 'it asked for a clean session')
      const { from, to } = KEEP_ALIVE_S
      findings.check('keep-alive', keepalive >= from && keepalive <= to, `it is ${keepalive} s`)
      const problem = readWill(will, toUpTopic(tenant, gateway, 'birth'))
      findings.check('will', problem === undefined, problem ?? '')
      return 0
    },
  }
}
