import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isShipped, type Platform, readLock, root } from './project.ts'

/** The package of PostgreSQL's programs has no licence file of PostgreSQL itself. */
const POSTGRESQL = `PostgreSQL Database Management System
(also known as Postgres, formerly known as Postgres95)

Portions Copyright (c) 1996-2026, The PostgreSQL Global Development Group

Portions Copyright (c) 1994, The Regents of the University of California

Permission to use, copy, modify, and distribute this software and its documentation for any purpose, without fee, and
without a written agreement is hereby granted, provided that the above copyright notice and this paragraph and the
following two paragraphs appear in all copies.

IN NO EVENT SHALL THE UNIVERSITY OF CALIFORNIA BE LIABLE TO ANY PARTY FOR DIRECT, INDIRECT, SPECIAL, INCIDENTAL, OR
CONSEQUENTIAL DAMAGES, INCLUDING LOST PROFITS, ARISING OUT OF THE USE OF THIS SOFTWARE AND ITS DOCUMENTATION, EVEN IF
THE UNIVERSITY OF CALIFORNIA HAS BEEN ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.

THE UNIVERSITY OF CALIFORNIA SPECIFICALLY DISCLAIMS ANY WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE. THE SOFTWARE PROVIDED HEREUNDER IS ON AN "AS IS"
BASIS, AND THE UNIVERSITY OF CALIFORNIA HAS NO OBLIGATIONS TO PROVIDE MAINTENANCE, SUPPORT, UPDATES, ENHANCEMENTS, OR
MODIFICATIONS.`

const FOLDER = 'node_modules/'
const isLicence = (name: string): boolean => /^(?:licen[cs]e|copying|copyright|notice)/i.test(name)

/** The texts in a package's folder, by file name. */
function readTexts(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && isLicence(entry.name))
    .map(({ name }) => name)
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim())
}

/**
 * Licences of all packages in an archive. Those of the console are inside its built files, so their texts are needed here:
 * they come from the installation that builds the archive, those of the platform from the staged folder.
 */
export function toLicences(stage: string, platform: Platform): string {
  const sections = Object.entries(readLock())
    .filter(([path, found]) => path.includes(FOLDER) && isShipped(found, platform))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, { version = '', license = 'not declared' }]) => {
      const inStage = readTexts(join(stage, path))
      const texts = inStage.length > 0 ? inStage : readTexts(join(root, path))
      const name = path.slice(path.lastIndexOf(FOLDER) + FOLDER.length)
      const body = texts.length > 0 ? texts : [`(the package has no licence file; it declares ${license})`]
      return [`${name} ${version}: ${license}`, ...body].join('\n\n')
    })
  const head = 'Isotherm is under the Apache License 2.0 (LICENSE). It contains these packages:'
  return `${[head, ...new Set(sections), POSTGRESQL].join(`\n\n${'-'.repeat(80)}\n`)}\n`
}
