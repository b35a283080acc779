from blicket.benchmarks.natural_logic.closed_class import ClosedClass, Edit, Frame


def test_the_words_of_the_paper_make_36_frames_and_12_edits(closed):
    assert len(closed.frames) == len(set(closed.frames)) == len(set(closed.templates)) == 36
    assert len(closed.edits) == len(set(closed.edits)) == 12
    assert closed.edited.shape == (12, 36)


def test_templates_have_words_in_the_order_of_table_2(closed):
    number = closed.number(Frame(0, 1, 1, 1))
    assert closed.templates[number] == "all red %s that hum not %s"
    assert closed.templates[closed.number(Frame(1, 0, 0, 0))] == "some %s %s"
    assert closed.frames[number] == Frame(0, 1, 1, 1)


def test_an_edit_changes_one_word_and_together_they_reach_every_neighbour(closed):
    for number, frame in enumerate(closed.frames):
        reached = {}
        for edit, after in zip(closed.edits, closed.edited[:, number].tolist(), strict=True):
            changed = [i for i in range(4) if frame[i] != closed.frames[after][i]]
            assert changed == [edit.place]
            reached.setdefault(edit.side, set()).add(after)
        neighbours = {i for i, f in enumerate(closed.frames) if sum(a != b for a, b in zip(f, frame, strict=True)) == 1}
        assert reached == {0: neighbours, 1: neighbours}


def test_without_optional_words_quantifiers_alone_are_exchanged():
    bare = ClosedClass(("all", "some", "no"), (), (), negation=False)
    assert bare.templates == ("all %s %s", "some %s %s", "no %s %s")
    assert bare.edits == (Edit(0, 0, 1), Edit(0, 0, 2), Edit(1, 0, 1), Edit(1, 0, 2))
