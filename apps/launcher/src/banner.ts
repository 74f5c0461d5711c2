export interface BannerFacts {
  readonly url: string
  readonly mode: 'demo' | 'production'
  readonly mqttUrl: string
  readonly dataDir: string
  /** Time from the start of this process until everything was ready, s. */
  readonly startS: number
  /** Simulated seconds per real second; demo only. */
  readonly timeFactor?: number
}

const demoAccounts = ['admin', 'dispatcher', 'maintenance', 'service', 'irrigation', 'viewer'] as const
const demoPassword = 'isotherm-demo'

/** An address without its user and password: the banner ends up in logs and on screens. */
function withoutCredentials(address: string): string {
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  if (url.username === '' && url.password === '') return address
  url.username = ''
  url.password = ''
  return url.href
}

/** Text for the user when everything is ready. */
export function toBanner(facts: BannerFacts): string {
  const rows: [string, string][] = [['Console', facts.url]]
  if (facts.mode === 'demo') {
    rows.push(['Accounts', demoAccounts.join(', ')], ['Password', demoPassword])
    if (facts.timeFactor !== undefined)
      rows.push(['Twin', `runs ${facts.timeFactor} times as fast as the clock`])
  } else rows.push(['First account', 'isotherm admin --account NAME'])
  rows.push(
    ['MQTT', withoutCredentials(facts.mqttUrl)],
    ['API', `${facts.url}/docs`],
    ['Data', facts.dataDir],
    ['Stop', 'Ctrl-C'],
  )
  const width = Math.max(...rows.map(([name]) => name.length))
  const lines = rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)
  return `\nIsotherm is ready in ${facts.startS.toFixed(1)} s\n\n${lines.join('\n')}\n`
}
