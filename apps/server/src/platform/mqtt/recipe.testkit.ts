import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const recipes = join(import.meta.dirname, '../../../../../docs/recipes')

/** A block of code of a recipe, by the name in its first line, without the indentation of its list. */
export function readRecipe(recipe: string, name: string): string {
  const page = readFileSync(join(recipes, `${recipe}.md`), 'utf8')
  const block = page.split('```').find((part) => part.trimStart().split('\n')[0]?.trim() === `# ${name}`)
  if (block === undefined) throw new Error(`the recipe has no ${name}`)
  return block.trim().replaceAll(/^ {3}/gm, '')
}

/**
 * Settings of a block that are not about this machine: without comments and the lines that begin with `own`. `toPath` replaces each
 * path of a file in a folder of /etc.
 */
export const readSettings = (
  recipe: string,
  name: string,
  { own, toPath }: { readonly own: RegExp; toPath(file: string): string },
): readonly string[] =>
  readRecipe(recipe, name)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && !own.test(line))
    .map((line) => line.replace(/\/etc\/\S*\/(\S+)$/, (_, file: string) => toPath(file)))
