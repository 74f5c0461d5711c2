import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/**
 * Writes a font configuration with Noto Sans SC in addition to the machine's own fonts, for Chinese text on machines without
 * a Chinese font.
 * @returns the environment variables for a browser to use it
 */
export function provideFonts(): Readonly<Record<string, string>> {
  const folder = join(root, 'node_modules/.cache/isotherm-fonts')
  mkdirSync(folder, { recursive: true })
  const fonts = join(root, 'node_modules/@expo-google-fonts/noto-sans-sc')
  const folders = ['400Regular', '500Medium', '600SemiBold', '700Bold'].map((weight) => join(fonts, weight))
  const lines = [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    ...['/usr/share/fonts', '/usr/local/share/fonts', ...folders].map((path) => `  <dir>${path}</dir>`),
    `  <cachedir>${join(folder, 'cache')}</cachedir>`,
    ...['sans-serif', 'system-ui'].map(
      (family) => `  <alias><family>${family}</family><prefer><family>Noto Sans SC</family></prefer></alias>`,
    ),
    '</fontconfig>',
    '',
  ]
  const file = join(folder, 'fonts.conf')
  writeFileSync(file, lines.join('\n'))
  return { FONTCONFIG_FILE: file }
}
