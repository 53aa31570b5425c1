// The same with thousands of requests: LEADWIRE_TEST_LONG is set where files of this name are run.
import './properties.test.ts';
