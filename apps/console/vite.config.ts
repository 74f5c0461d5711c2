import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv } from 'vite'
import { precompress } from './precompress.ts'

/** What the development server passes on to the real one. */
const SERVED_PATHS = ['/usrCloud', '/ht-api', '/live', '/docs']

/** Whether a file holds texts of a language that are needed before any page (src/app/locales.ts). */
function isEarlyText(id: string, language: string): boolean {
  if (!/src\/(?:shared|features\/[^/]+)\/locales\//.test(id)) return false
  const menu = join(dirname(id), `menu.${language}.ts`)
  return id === menu || (id === join(dirname(id), `${language}.ts`) && !existsSync(menu))
}

/** Big libraries that change rarely, each in a file of its own; the charts only come with the chart pages. */
const LIBRARIES = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler|react-router)\// },
  { name: 'charts', test: /node_modules\/(echarts|zrender)\// },
  // One file of texts per language; only the one in force is loaded, and what comes with a page is not in it.
  { name: 'zh', test: (id: string) => isEarlyText(id, 'zh') },
  { name: 'en', test: (id: string) => isEarlyText(id, 'en') },
  // Half a kilobyte each: in files of their own they would be a third of the requests.
  { name: 'icons', test: /node_modules\/@ant-design\/icons/ },
]

export default defineConfig(({ mode }) => {
  const { ISOTHERM_SERVER_URL: target = 'http://127.0.0.1:8080' } = loadEnv(
    mode,
    import.meta.dirname,
    'ISOTHERM_',
  )
  return {
    root: import.meta.dirname,
    plugins: [react(), precompress()],
    build: {
      target: 'es2023',
      sourcemap: false,
      chunkSizeWarningLimit: 1200,
      rolldownOptions: { output: { codeSplitting: { groups: LIBRARIES } } },
    },
    server: {
      proxy: Object.fromEntries(SERVED_PATHS.map((path) => [path, { target, ws: path === '/live' }])),
    },
  }
})
