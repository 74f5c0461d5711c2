import type { Import, Target } from './imports.ts'
import {
  isPurePackage,
  isTest,
  packageImports,
  packagesClosedTo,
  toProjectPart,
  toWorkspace,
} from './project-parts.ts'
import type { Rule, Violation } from './violation.ts'

/** Drivers, each with the suffix of the files that may import it. */
const drivers: Readonly<Record<string, string>> = {
  pg: '.pg.ts',
  'pg-copy-streams': '.pg.ts',
  kysely: '.pg.ts',
  '@clickhouse/client': '.ch.ts',
  mqtt: '.mqtt.ts',
  aedes: '.mqtt.ts',
  '@isotherm/engines': '.mqtt.ts',
}

const toPackageName = (target: Target): string | undefined => {
  if (target.kind === 'workspace') return `@isotherm/${target.name}`
  return target.kind === 'package' ? target.name : undefined
}

/** The rule that an import of a package breaks, if any. Tests may import any tool. */
function checkPackageImports(file: string, { target }: Import): Rule | undefined {
  const part = toProjectPart(file)
  if (part.kind === 'outside' || isTest(file)) return undefined
  if (part.kind === 'package') {
    const allowed = packageImports[part.name]
    const name = toPackageName(target)
    if (target.kind === 'node') return isPurePackage(part.name) ? 'pure' : undefined
    if (name === undefined || name === `@isotherm/${part.name}`) return undefined
    if (allowed === undefined)
      return target.kind === 'workspace' && target.name !== 'kernel' ? 'package-imports' : undefined
    return allowed.includes(name) ? undefined : 'package-imports'
  }
  const app = toWorkspace(file)?.slice('apps/'.length) ?? ''
  const closed = target.kind === 'workspace' && (packagesClosedTo[app] ?? []).includes(target.name)
  return closed ? 'package-imports' : undefined
}

/** Refuses relative imports of another workspace, and imports of an app by name. */
function checkWorkspaceEdge(file: string, { target }: Import): Rule | undefined {
  const from = toWorkspace(file)
  if (target.kind === 'workspace') {
    const isApp = ['console', 'gateway', 'server', 'twin', 'launcher'].includes(target.name)
    return isApp ? 'workspace-edge' : undefined
  }
  if (from === undefined || target.kind !== 'file') return undefined
  return toWorkspace(target.path) === from ? undefined : 'workspace-edge'
}

function checkConsole(file: string, { target }: Import): Rule | undefined {
  const from = toProjectPart(file)
  // A test of a feature may mount the whole console.
  if (from.kind !== 'console' || target.kind !== 'file' || isTest(file)) return undefined
  const to = toProjectPart(target.path)
  if (to.kind !== 'console' || from.zone === 'app') return undefined
  if (from.zone === 'shared') return to.zone === 'shared' ? undefined : 'console-direction'
  if (to.zone === 'app') return 'console-direction'
  return to.zone === 'feature' && to.feature !== from.feature ? 'feature-to-feature' : undefined
}

function checkServer(file: string, { target }: Import): Rule | undefined {
  const from = toProjectPart(file)
  if (from.kind !== 'server' || target.kind !== 'file' || from.zone === 'root') return undefined
  const to = toProjectPart(target.path)
  if (to.kind !== 'server' || to.zone === 'platform') return undefined
  // A test of a module may start the whole server or import another module's store.
  if (isTest(file)) return undefined
  if (to.zone === 'root' || from.zone === 'platform') return 'server-direction'
  if (to.module === from.module) return undefined
  return target.path === `apps/server/src/modules/${to.module}/index.ts` ? undefined : 'module-interface'
}

/** Types of Kysely may be imported anywhere; other imports of drivers are refused, even of types. */
function checkDriver(file: string, { target, typeOnly }: Import): Rule | undefined {
  if (toProjectPart(file).kind !== 'server' || isTest(file)) return undefined
  const name = toPackageName(target)
  const suffix = name === undefined ? undefined : drivers[name]
  if (suffix === undefined || file.endsWith(suffix)) return undefined
  return name === 'kysely' && typeOnly ? undefined : 'driver'
}

const checks = [checkWorkspaceEdge, checkPackageImports, checkConsole, checkServer, checkDriver]

/** Violations by the imports of one file. */
export function checkImports(file: string, imports: readonly Import[]): readonly Violation[] {
  return imports.flatMap((found) => {
    const broken = new Set(checks.flatMap((check) => check(file, found) ?? []))
    if (found.reexportsAll) broken.add('barrel')
    return [...broken].map((rule) => ({ file, line: found.line, rule, found: `'${found.specifier}'` }))
  })
}
