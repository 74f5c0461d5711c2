import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Language } from '@isotherm/contract/locales/error-text'
import { registryFile } from '@isotherm/contract/network/registry-file'
import { toTownGround } from './files/town-ground.ts'
import { writeFileWhole } from './files/write-file.ts'
import { DEFAULT_SCENARIO, readConfig } from './runtime/config.ts'
import { loadScenario } from './runtime/scenario-file.ts'
import { readTruth } from './runtime/truth.ts'
import { startTruthServer, type TruthServer } from './runtime/truth-server.ts'
import { startTwin, type Twin } from './runtime/twin.ts'
import { toRegistryFile } from './scenarios/registry/registry.ts'
import type { Scenario } from './scenarios/scenario.ts'

/** Timeout of a stop, ms. */
const STOP_TIMEOUT_MS = 1800

function fail(problem: string): never {
  console.error(`twin: ${problem}`)
  process.exit(1)
}

/** Loads a scenario by name, with names in a language, or by file; ends the process if it fails. */
function load(name: string, language: Language): Scenario {
  const outcome = loadScenario(name, language)
  return outcome.kind === 'scenario' ? outcome.scenario : fail(outcome.problems.join('; '))
}

/**
 * `describe --out FILE [--map FOLDER]`: the company's structure and devices for the server to import, and a town around its
 * places as a map file of the company, unless the company has a folder of map files.
 */
function describe(out: string | undefined, map: string | undefined, scenario: Scenario): void {
  if (out === undefined) fail('describe needs --out FILE')
  const file = registryFile.parse(toRegistryFile(scenario))
  mkdirSync(dirname(out), { recursive: true })
  writeFileSync(out, `${JSON.stringify(file)}\n`)
  console.log(`${file.nodes.length} nodes and ${file.devices.length} devices written to ${out}`)
  const town = toTownGround(scenario)
  if (map === undefined || town.features.length === 0) return
  const companyFolder = join(map, scenario.tenant)
  // Files of people take the place of the made town, also when they have deleted it.
  if (existsSync(companyFolder)) return
  const townFile = join(companyFolder, 'made-town.geojson')
  writeFileWhole(townFile, `${JSON.stringify(town)}\n`)
  console.log(`${town.features.length} streets and outlines written to ${townFile}`)
}

async function serveTruth(twin: Twin, port: number | undefined): Promise<TruthServer | undefined> {
  if (port === undefined) return undefined
  try {
    return await startTruthServer(port, () => readTruth(twin.field))
  } catch (error) {
    fail(`ISOTHERM_TRUTH_PORT: ${error instanceof Error ? error.message : error}`)
  }
}

/** Runs until it is stopped. Prints `TWIN_READY {json}` when every gateway is connected. */
async function run(): Promise<void> {
  const outcome = readConfig(process.env)
  if (outcome.kind === 'invalid') fail(outcome.problems.join('; '))
  const { config } = outcome
  const scenario = load(config.scenario, config.language)
  const twin = startTwin(scenario, config, Date.now)
  const truth = await serveTruth(twin, config.truthPort)
  let isStopping = false
  const stop = (): void => {
    if (isStopping) return
    isStopping = true
    setTimeout(() => process.exit(0), STOP_TIMEOUT_MS).unref()
    Promise.all([twin.stop(), truth?.close()]).then(
      () => process.exit(0),
      (error) => fail(`stopping failed: ${error instanceof Error ? error.message : error}`),
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('disconnect', stop)
  await twin.ready
  const ready = {
    tenant: scenario.tenant,
    gateways: twin.field.gateways.length,
    devices: twin.deviceCount,
    timeFactor: config.timeFactor,
    boot: twin.boot(),
    scenario: scenario.name,
    ...(truth === undefined ? {} : { truth: `http://127.0.0.1:${truth.port}/truth` }),
  }
  console.log(`TWIN_READY ${JSON.stringify(ready)}`)
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string' }, map: { type: 'string' }, scenario: { type: 'string' } },
})
const [command = 'run'] = positionals
if (command === 'run') await run()
else if (command === 'describe')
  describe(
    values.out,
    values.map,
    load(
      values.scenario ?? process.env.ISOTHERM_SCENARIO ?? DEFAULT_SCENARIO,
      process.env.ISOTHERM_DEMO_LANGUAGE === 'en' ? 'en' : 'zh',
    ),
  )
else fail(`unknown command ${command}; there are run and describe`)
