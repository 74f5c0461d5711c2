import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv } from 'vite'
import { precompress } from './precompress.ts'

/** What the development server passes on to the real one. */
const SERVED_PATHS = ['/usrCloud', '/ht-api', '/live', '/docs']

/** Big libraries that change rarely, each in a file of its own; the charts only come with the chart pages. */
const LIBRARIES = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler|react-router)\// },
  { name: 'charts', test: /node_modules\/(echarts|zrender)\// },
  // A quarter of a kilobyte each: in files of their own they would be a third of the requests. One that a single page
  // draws comes with it.
  { name: 'icons', test: /node_modules\/@ant-design\/icons/, minShareCount: 2 },
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
      rolldownOptions: {
        // It does not say itself that it does nothing when it is loaded; of it only a context is used.
        treeshake: { moduleSideEffects: [{ test: /@rc-component\/form\//, sideEffects: false }] },
        output: { codeSplitting: { groups: LIBRARIES } },
      },
    },
    server: {
      proxy: Object.fromEntries(SERVED_PATHS.map((path) => [path, { target, ws: path === '/live' }])),
    },
  }
})
