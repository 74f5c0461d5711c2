import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { registryFile } from '@isotherm/contract/registry-file'
import { readConfig } from './runtime/config.ts'
import { startTwin } from './runtime/twin.ts'
import { createDemoCompany } from './scenarios/demo-company.ts'
import { toRegistryFile } from './scenarios/registry.ts'

/** Longest time a stop may take, ms. */
const STOP_PATIENCE_MS = 1800

function fail(problem: string): never {
  console.error(`twin: ${problem}`)
  process.exit(1)
}

/** `describe --out FILE`: the company's structure and devices for the server to import. */
function describe(out: string | undefined): void {
  if (out === undefined) fail('describe needs --out FILE')
  const file = registryFile.parse(toRegistryFile(createDemoCompany()))
  mkdirSync(dirname(out), { recursive: true })
  writeFileSync(out, `${JSON.stringify(file)}\n`)
  console.log(`${file.nodes.length} nodes and ${file.devices.length} devices written to ${out}`)
}

/** Runs until told to stop. Prints `TWIN_READY {json}` once when every concentrator is heard. */
function run(): void {
  const outcome = readConfig(process.env)
  if (outcome.kind === 'invalid') fail(outcome.problems.join('; '))
  const { config } = outcome
  const scenario = createDemoCompany()
  const twin = startTwin(scenario, config, Date.now)
  let isStopping = false
  const stop = (): void => {
    if (isStopping) return
    isStopping = true
    setTimeout(() => process.exit(0), STOP_PATIENCE_MS).unref()
    twin.stop().then(
      () => process.exit(0),
      (error) => fail(`stopping failed: ${error instanceof Error ? error.message : error}`),
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('disconnect', stop)
  twin.ready.then(() => {
    const ready = {
      tenant: scenario.tenant,
      nodes: scenario.stations.length,
      devices: twin.deviceCount,
      timeFactor: config.timeFactor,
      boot: twin.boot,
    }
    console.log(`TWIN_READY ${JSON.stringify(ready)}`)
  })
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { out: { type: 'string' } } })
const [command = 'run'] = positionals
if (command === 'run') run()
else if (command === 'describe') describe(values.out)
else fail(`unknown command ${command}; there are run and describe`)
