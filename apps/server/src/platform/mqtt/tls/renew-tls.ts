import type { Clock } from '../../clock.ts'
import type { MqttTlsConfig } from '../../config/mqtt.ts'
import type { Log } from '../../log.ts'
import { startPollLoop } from '../../tasks/poll-loop.ts'
import { readTlsFiles, type TlsFiles, type TlsTexts } from './tls-files.ts'

/** Files are read and compared, not watched: programs that renew certificates replace links, folders or files. */
const PAUSE_MS = 60_000

interface Client {
  readonly certificate?: {
    readonly expiresAt: number
    readonly serialNumber: string
    readonly isAuthorityKnown: boolean
  }
}

/** What the embedded broker does with renewed certificates. */
interface RenewableBroker {
  /** Throws if they cannot be used; then the old ones stay. */
  setTls(material: TlsTexts): void
  disconnectWhere(condition: (client: Client) => boolean): void
}

export interface RenewedTls {
  /** The files that the broker uses now. */
  readonly present: TlsFiles
  close(): Promise<void>
}

export interface RenewTlsNeeds {
  readonly config: MqttTlsConfig
  /** The files that the broker uses now. */
  readonly first: TlsFiles
  readonly broker: RenewableBroker
  readonly clock: Clock
  readonly log: Log
}

/**
 * Whose certificate may no longer hold with the renewed files; undefined if all do. Such gateways sign in again and are judged anew.
 * Authorities are not compared: two of them may use one serial number, then a good certificate is judged once more.
 */
function findDoubt(renewed: TlsFiles, present: TlsFiles): ((client: Client) => boolean) | undefined {
  const areAuthoritiesSame = renewed.material.clientAuthorities === present.material.clientAuthorities
  const added = new Set([...renewed.revoked].filter((serial) => !present.revoked.has(serial)))
  if (areAuthoritiesSame && added.size === 0) return undefined
  // With an authority all certificates below it end. An unknown one was presented by the gateway itself and is not remembered.
  const areAllDoubtful = !areAuthoritiesSame || [...renewed.authorities].some((serial) => added.has(serial))
  return ({ certificate }) =>
    certificate !== undefined &&
    (areAllDoubtful || !certificate.isAuthorityKnown || added.has(certificate.serialNumber))
}

/**
 * Lets the broker use renewed certificates, and disconnects gateways whose certificates no longer hold: expired and revoked ones, and
 * all of them after a change of the authorities.
 */
export function renewTls({ config, first, broker, clock, log }: RenewTlsNeeds): RenewedTls {
  let present = first
  let lastFault = ''

  function report(fault: string, error?: unknown): void {
    if (fault !== lastFault && fault !== '') log.error({ err: error }, fault)
    lastFault = fault
  }

  function use(renewed: TlsFiles): void {
    const isDoubtful = findDoubt(renewed, present)
    broker.setTls(renewed.material)
    present = renewed
    log.info({ until: new Date(renewed.expiresAt) }, 'the MQTT broker uses renewed certificates')
    if (isDoubtful) broker.disconnectWhere(isDoubtful)
  }

  async function work(): Promise<void> {
    const renewed = await readTlsFiles(config, present)
    if (renewed !== present) use(renewed)
    const now = clock.now()
    const isOutdated = present.revocationsEnd !== undefined && present.revocationsEnd <= now
    report(isOutdated ? 'the revocation list is outdated: no device can sign in with its certificate' : '')
  }

  function disconnectEnded(): void {
    const now = clock.now()
    broker.disconnectWhere(({ certificate }) => certificate !== undefined && certificate.expiresAt <= now)
  }

  const { close } = startPollLoop({
    clock,
    work: () => work().finally(disconnectEnded),
    firstMs: PAUSE_MS,
    pauseMs: PAUSE_MS,
    // Half renewed files come here too: the next run finds the other half.
    onError(error) {
      const reason = error instanceof Error ? error.message : String(error)
      report(`the renewed certificates of the MQTT broker are not used, the old ones stay: ${reason}`, error)
    },
  })
  return {
    get present() {
      return present
    },
    close,
  }
}
