// Their tests use leads of their own alone, so that one server serves them all.
import './history.cases.ts';
import './merge-patch.cases.ts';
import './one.cases.ts';
import './patch.cases.ts';
import './validation.cases.ts';
