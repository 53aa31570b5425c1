import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** While the page is worked on (`npm run dev -w @leadwire/dashboard`), a service that runs at its default port answers. */
const SERVICE = 'http://127.0.0.1:3000';

// Each knows light-dark() of CSS and what of ECMAScript 2024 is used.
const BROWSERS = ['chrome123', 'firefox121', 'safari17.5'];

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [react()],
  server: { proxy: { '/dashboard/api': SERVICE } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // What the size test reads.
    manifest: 'manifest.json',
    target: BROWSERS,
    cssTarget: BROWSERS,
    // The policy of the page's content allows no data: script, and small pictures gain little from being inlined.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1024,
  },
});
