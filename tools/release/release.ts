/**
 * Makes the archives that production is installed from, one for each platform, with SHA256SUMS:
 *
 *   npm run release [-- --out FOLDER] [--platform linux-x64] [--accept PACKAGE] [--unaudited]
 *
 * Asks the registry first for known weaknesses of what the product runs (tools/security/audit.ts).
 * Needs the npm registry or npm's cache of it, and GNU tar. docs/operations says what is in an archive.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { auditPackages, findAuditFault } from '../security/audit.ts'
import { hashFile, pack } from './archive.ts'
import { platforms, ReleaseError, readCommit, readVersions, root, toPlatformName } from './project.ts'
import { stageRelease } from './stage.ts'

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'dist/release' },
    platform: { type: 'string', multiple: true, default: platforms.map(toPlatformName) },
    accept: { type: 'string', multiple: true, default: [] },
    unaudited: { type: 'boolean', default: false },
  },
})

/** Packs one platform. Returns its files for SHA256SUMS. */
async function release(name: string, out: string): Promise<readonly string[]> {
  const platform = platforms.find((one) => toPlatformName(one) === name)
  if (!platform)
    throw new ReleaseError(
      `there is no platform ${name}; there are ${platforms.map(toPlatformName).join(', ')}`,
    )
  const title = `isotherm-${readVersions().version}-${name}`
  const stage = join(out, title)
  const { missing } = stageRelease(stage, platform, { isOffline: false })
  const archive = `${title}.tar.gz`
  await pack(stage, join(out, archive), readCommit().time)
  const sbom = `${title}.cdx.json`
  copyFileSync(join(stage, 'sbom.cdx.json'), join(out, sbom))
  rmSync(stage, { recursive: true })
  console.log(`${archive}: ${(statSync(join(out, archive)).size / 1e6).toFixed(0)} MB`)
  for (const one of missing)
    console.log(`  without ${one}, which the registry does not have: this archive needs CLICKHOUSE_URL`)
  return [archive, sbom]
}

try {
  const out = resolve(root, values.out)
  mkdirSync(out, { recursive: true })
  const fault = findAuditFault(await auditPackages(root), {
    accepted: values.accept,
    isUnaudited: values.unaudited,
  })
  if (fault !== undefined) throw new ReleaseError(fault)
  const { commit } = readCommit()
  if (commit.endsWith('-changed'))
    console.log(`files differ from the commit: this is ${commit}, not a release`)
  execFileSync(process.execPath, [join(root, 'apps/launcher/src/main.ts'), 'build-console'], {
    stdio: 'inherit',
  })
  const files: string[] = []
  for (const name of values.platform) files.push(...(await release(name, out)))
  const sums = await Promise.all(files.map(async (name) => `${await hashFile(join(out, name))}  ${name}\n`))
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''))
  console.log(`in ${out}`)
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error
  console.error(`release: ${error.message}`)
  process.exitCode = 1
}
