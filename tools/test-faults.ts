/**
 * Runs the tests that kill processes in their long form: 60 s of load each, and a store outage of 5 minutes. With apt, brokers,
 * the PostgreSQL and the faketime of Debian are installed first and tested too; without apt, the skipped tests are printed. The
 * tests run one after the other, because each loads the whole machine.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const wanted = [
  { name: 'mosquitto', path: '/usr/sbin/mosquitto', without: 'three replicas on a real broker: skipped' },
  { name: 'postgresql', path: '/usr/lib/postgresql', without: 'they run on the embedded PostgreSQL only' },
  { name: 'faketime', path: '/usr/bin/faketime', without: 'a server whose clock is set: skipped' },
  {
    name: 'rabbitmq-server',
    path: '/usr/sbin/rabbitmq-server',
    without: 'bench operations leaves out the broker cluster',
  },
  ...['patroni', 'etcd-server', 'haproxy'].map((name) => ({
    name,
    path: name === 'haproxy' ? '/usr/sbin/haproxy' : `/usr/bin/${name.replace('-server', '')}`,
    without: 'bench operations leaves out the failover',
  })),
]

const run = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'inherit' }).status === 0

const missing = () => wanted.filter(({ path }) => !existsSync(path))

if (missing().length > 0 && existsSync('/usr/bin/apt-get') && process.getuid?.() === 0) {
  run('apt-get', 'update')
  run('apt-get', 'install', '--yes', '--no-install-recommends', ...missing().map(({ name }) => name))
}
for (const { name, without } of missing())
  console.log(`${name} is not here and cannot be installed: ${without}`)

const { status } = spawnSync(
  'vitest',
  ['run', 'faults', '--config', 'vitest.slow.config.ts', '--no-file-parallelism', ...process.argv.slice(2)],
  {
    stdio: 'inherit',
    env: { ...process.env, ISOTHERM_FAULT_SECONDS: process.env.ISOTHERM_FAULT_SECONDS ?? '60' },
  },
)
process.exit(status ?? 1)
