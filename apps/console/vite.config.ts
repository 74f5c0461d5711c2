import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv } from 'vite'
import { OLDEST } from '../../apps/console/supported-browsers.ts'
import { checkBrowsers } from './check-browsers.ts'
import { checkSizes } from './check-sizes.ts'
import { precompress } from './precompress.ts'

/** Paths that the development server forwards to the real one. */
const SERVED_PATHS = ['/usrCloud', '/ht-api', '/live', '/docs', '/readyz']

/**
 * Files of the build, by descending priority. A group contains the modules that match it and their imports, unless an
 * earlier group contains them. Over HTTP/1.1 a browser loads six files at a time. So the login has six scripts, and a page
 * adds its own file and the files that it shares with other pages.
 */
const FILES = [
  // Libraries that change rarely; the charts only come with the pages that draw one.
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler|react-router)\//, priority: 9 },
  { name: 'charts', test: /node_modules\/(echarts|zrender)\//, priority: 9 },
  { name: 'start', tags: ['$initial' as const], priority: 8 },
  // Used by both languages, or by pages in both languages: one language would contain it.
  { name: 'texts', test: /(locales\/abort-text\.ts|pagination\/es\/locale\/zh_CN\.js)$/, priority: 8 },
  { name: 'texts-zh', test: /app\/texts\/zh\.ts$/, priority: 7 },
  { name: 'texts-en', test: /app\/texts\/en\.ts$/, priority: 7 },
  { name: 'login', test: /login-page\.tsx$/, priority: 6 },
  { name: 'shell', test: /(shell-layout|dashboard-page)\.tsx$/, priority: 5 },
  { name: 'icons', test: /@ant-design\/icons/, priority: 4 },
  // A page that shows curves needs the charts and these, but neither tables nor forms.
  {
    name: 'controls',
    test: /antd\/es\/(select|segmented|checkbox|popover|popconfirm)\/|src\/shared\/(access\/|format\/|screen\/|url\/|ui\/save-file)/,
    priority: 3,
  },
  // Tables and forms, where at least six pages use them. A group of all that pages share would be loaded by each of them.
  {
    name: 'lists',
    test: /antd\/es\/(table|pagination|tabs|modal|drawer|input-number|switch|progress|skeleton)\/|src\/shared\/(records|form)\//,
    minShareCount: 6,
    priority: 2,
  },
]

/** Newer syntax is translated for the oldest browsers. */
const TARGET = Object.entries(OLDEST).map(([name, version]) => `${name}${version}`)

export default defineConfig(({ mode }) => {
  const { ISOTHERM_SERVER_URL: target = 'http://127.0.0.1:8080' } = loadEnv(
    mode,
    import.meta.dirname,
    'ISOTHERM_',
  )
  return {
    root: import.meta.dirname,
    plugins: [react(), checkBrowsers(), checkSizes(), precompress()],
    build: {
      target: TARGET,
      sourcemap: false,
      chunkSizeWarningLimit: 1200,
      rolldownOptions: {
        // The package does not declare that it has no side effects; the console uses one context of it only.
        treeshake: { moduleSideEffects: [{ test: /@rc-component\/form\//, sideEffects: false }] },
        output: { codeSplitting: { groups: FILES } },
      },
    },
    server: {
      proxy: Object.fromEntries(SERVED_PATHS.map((path) => [path, { target, ws: path === '/live' }])),
    },
  }
})
