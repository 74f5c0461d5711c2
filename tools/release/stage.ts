import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { toLicences } from './licences.ts'
import { type InstallOptions, installModules } from './modules.ts'
import { listSources, type Platform, readCommit, readVersions, root, toPlatformName } from './project.ts'
import { toSbom } from './sbom.ts'

export interface Staged {
  readonly folder: string
  /** Packages that the registry does not have for the platform. */
  readonly missing: readonly string[]
}

/** Writes the content of an archive into an empty folder. The console must be built. */
export function stageRelease(folder: string, platform: Platform, options: InstallOptions): Staged {
  rmSync(folder, { recursive: true, force: true })
  for (const path of listSources()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(root, path), join(folder, path))
  }
  cpSync(join(root, 'apps/console/dist'), join(folder, 'apps/console/dist'), { recursive: true })
  const missing = installModules(folder, platform, options)
  const { commit, time } = readCommit()
  const facts = { version: readVersions().version, commit, platform: toPlatformName(platform), missing }
  writeFileSync(join(folder, 'release.json'), `${JSON.stringify(facts, undefined, 2)}\n`)
  writeFileSync(join(folder, 'THIRD-PARTY-LICENCES.txt'), toLicences(folder, platform))
  writeFileSync(join(folder, 'sbom.cdx.json'), toSbom(platform, time))
  return { folder, missing }
}
