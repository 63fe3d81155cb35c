select register_read_model('session_list');
